import { organisationType, shippedDictionaries, userType } from '@campanile/contract'
import { sql } from 'kysely'
import { type DemoAccount, growDemo, refuseDemoInPublic } from './demo/demo.ts'
import {
  enrol,
  fillPresetRoles,
  generatePassword,
  hasDefaultAdministrator,
  syncMenus,
} from './domains/identity/index.ts'
import { findRoot, plant } from './domains/organisation/index.ts'
import type { Config } from './platform/config.ts'
import type { Db } from './platform/db.ts'
import { hashPassword } from './platform/password-hash.ts'

export interface Seeded {
  /** Only when this start made the administrator and the password with it. */
  adminPassword?: string
  /** Only with `--demo`: accounts to sign in with. */
  demoAccounts?: readonly DemoAccount[]
}

interface SeedDeps {
  readonly db: Db
  readonly config: Pick<Config, 'host' | 'demo' | 'adminPassword'> & Partial<Pick<Config, 'trustedProxies'>>
}

/** "seed": several servers may start on one database at once; the second finds everything done. */
const seedLock = 0x73656564

/** What a new installation needs before anyone can sign in; later starts find it there and add only what is new. */
export async function seed({ db, config }: SeedDeps): Promise<Seeded> {
  await refuseDemoInPublic(db, config)
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${seedLock})`.execute(tx)
    await syncMenus(tx)
    await fillPresetRoles(tx)
    await addShippedCodes(tx)
    const root =
      (await findRoot(tx)) ?? (await plant(tx, { name: 'Campanile', type: organisationType.si, parentId: null }))
    const generated = await makeAdministrator(tx, root, config.adminPassword)
    const demoAccounts = config.demo ? await growDemo(tx, root) : undefined
    return { ...(generated && { adminPassword: generated }), ...(demoAccounts && { demoAccounts }) }
  })
}

/** Answers the password when it had to make one up. */
const makeAdministrator = async (db: Db, root: number, given: string | undefined): Promise<string | undefined> => {
  if (await hasDefaultAdministrator(db)) return undefined
  const password = given ?? generatePassword()
  await enrol(db, {
    username: 'admin',
    realName: 'Administrator',
    departmentId: root,
    type: userType.super,
    passwordHash: await hashPassword(password),
    isDefault: true,
    presets: ['administrator'],
  })
  return given ? undefined : password
}

/** Codes that are new appear; labels people have edited stay theirs. */
const addShippedCodes = async (db: Db) => {
  const items = Object.entries(shippedDictionaries).flatMap(([dictionary, codes]) =>
    codes.map(({ code, label }, at) => ({ dictionary, code, label, order_num: at + 1 })),
  )
  await sql`insert into dictionary_item (dictionary, code, label, order_num, built_in)
    select dictionary, code, label, order_num, true
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item (dictionary text, code smallint, label jsonb, order_num smallint)
    on conflict (dictionary, code) do update set built_in = true where not dictionary_item.built_in`.execute(db)
}
