import { organisationType, userType } from '@campanile/contract'
import { sql } from 'kysely'
import { type DemoAccount, growDemo, refuseDemoInPublic } from './demo/demo.ts'
import {
  enrol,
  fillPresetRoles,
  generatePassword,
  hasDefaultAdministrator,
  plant,
  syncMenus,
} from './domains/identity/index.ts'
import { findRoot } from './domains/organisation/index.ts'
import { addShippedCodes } from './domains/system/index.ts'
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
