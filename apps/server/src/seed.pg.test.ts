import { checkPassword, shippedDictionaries } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OperatorError } from './platform/operator-error.ts'
import { hashPassword } from './platform/password-hash.ts'
import { seed } from './seed.ts'
import { sealedPassword, startTestApp, type TestApp, testPassword } from './test/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.stop())

const config = { host: '127.0.0.1', demo: false }
const everything = async () => {
  const tables = [
    'department',
    'sys_user',
    'menu',
    'sys_role',
    'role_menu',
    'role_department',
    'user_role',
    'dictionary_item',
    'announcement',
    'device',
    'device_group',
    'licence',
    'device_task',
    'command',
  ]
  const rows = await Promise.all(
    tables.map((table) => sql`select * from ${sql.table(table)} order by 1, 2`.execute(server.db)),
  )
  return rows.map((result) => result.rows)
}

describe('the first start', () => {
  it('makes a root, an administrator who can sign in, the menu and the code tables, also when two servers start at once', async () => {
    const seeded = await Promise.all([seed({ db: server.db, config }), seed({ db: server.db, config })])
    const passwords = seeded.flatMap(({ adminPassword }) => adminPassword ?? [])
    expect(passwords).toHaveLength(1)
    for (const profile of ['admin', 'short'] as const) expect(checkPassword(profile, passwords[0] ?? '')).toBe('ok')
    const { user } = await server.signIn('admin', passwords[0])
    expect(user).toMatchObject({ type: 0, departmentName: 'Campanile', departmentType: 3, parent: null })
    const codes = await sql<{ dictionary: string; code: number }>`select dictionary, code from dictionary_item`.execute(
      server.db,
    )
    expect(codes.rows).toHaveLength(Object.values(shippedDictionaries).flat().length)
    expect(codes.rows.filter((row) => row.dictionary === 'deviceType').map((row) => row.code)).toEqual(
      Array.from({ length: 16 }, (_, at) => at + 1),
    )
  })

  it('changes nothing the second time', async () => {
    const before = await everything()
    expect(await seed({ db: server.db, config: { ...config, adminPassword: 'Ignored-later-1' } })).toEqual({})
    expect(await everything()).toEqual(before)
  })

  it('adds new codes and keeps edited labels', async () => {
    await sql`update dictionary_item set label = '{"en":"Turnstile"}' where dictionary = 'deviceType' and code = 1`.execute(
      server.db,
    )
    await sql`delete from dictionary_item where dictionary = 'pushType' and code = 7`.execute(server.db)
    await seed({ db: server.db, config })
    const { rows } = await sql<{ label: { en: string } }>`select label from dictionary_item
      where (dictionary, code) in (('deviceType', 1), ('pushType', 7)) order by dictionary`.execute(server.db)
    expect(rows.map((row) => row.label.en)).toEqual(['Turnstile', 'Call and consumption'])
  })

  it('brings shipped roles up to what this version ships', async () => {
    const roleMenus = () => sql`select role_id, menu_id from role_menu order by 1, 2`.execute(server.db)
    const before = (await roleMenus()).rows
    await sql`delete from role_menu where menu_id in (select id from menu where perms = 'org:list:edit')`.execute(
      server.db,
    )
    await sql`insert into role_menu select id, (select id from menu where perms = 'system:log:list') from sys_role where preset = 'operator'`.execute(
      server.db,
    )
    await seed({ db: server.db, config })
    expect((await roleMenus()).rows).toEqual(before)
  })
})

describe('the demonstration', () => {
  it('is made once, with accounts of every type that can sign in', async () => {
    const demo = { ...config, demo: true }
    const { demoAccounts = [] } = await seed({ db: server.db, config: demo })
    expect(demoAccounts).toHaveLength(16)
    const before = await everything()
    await seed({ db: server.db, config: demo })
    expect(await everything()).toEqual(before)
    for (const { username, password } of demoAccounts) {
      const { user } = await server.signIn(username, password)
      expect(user.username).toBe(username)
    }
  })

  it('has enough to turn pages, every state of an account, and one tree without a wrong place', async () => {
    const { rows } = await sql<{ departments: number; users: number; states: string[] }>`select
      (select count(*) from department) as departments, (select count(*) from sys_user) as users,
      array(select distinct case when disabled then 'disabled' when locked_until > now() then 'locked'
        when valid_end < current_date then 'expired' when whitelist_ip <> '{}' then 'whitelist' else 'normal' end from sys_user) as states`.execute(
      server.db,
    )
    expect(rows[0]?.departments).toBeGreaterThanOrEqual(40)
    expect(rows[0]?.users).toBeGreaterThanOrEqual(30)
    expect([...(rows[0]?.states ?? [])].sort()).toEqual(['disabled', 'expired', 'locked', 'normal', 'whitelist'])
  })

  it('never listens to other machines with its published passwords', async () => {
    const start = (over: { host?: string; trustedProxies?: string[]; demo?: boolean }) =>
      seed({ db: server.db, config: { host: '127.0.0.1', demo: false, ...over } })
    await expect(start({ host: '0.0.0.0', demo: true })).rejects.toThrow(OperatorError)
    await expect(start({ trustedProxies: ['10.0.0.5'], demo: true })).rejects.toThrow(/CAMPANILE_TRUSTED_PROXIES/)
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/harbour\.admin.*28 more.*user reset-password NAME/)
    await expect(start({ trustedProxies: ['10.0.0.5'] })).rejects.toThrow(/published password/)
    const another = await hashPassword('Another-1!')
    const others = sql`username not in ('ines.pereira', 'teacher.zhaoqi')`
    await sql`update sys_user set password_hash = ${another} where not is_default and ${others}`.execute(server.db)
    // Neither a disabled account nor one of the smallest rights is passed over, nor one that goes by another name.
    await sql`update sys_user set disabled = true where username = 'ines.pereira'`.execute(server.db)
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/: ines\.pereira, teacher\.zhaoqi\. /)
    await sql`update sys_user set username = 'x', username_key = 'x' where username = 'ines.pereira'`.execute(server.db)
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/: teacher\.zhaoqi, x\. /)
    await sql`update sys_user set password_hash = ${another} where not is_default`.execute(server.db)
    await expect(start({ host: '0.0.0.0' })).resolves.toEqual({})
  })

  it('has a password that nobody can choose', async () => {
    const known = await hashPassword(testPassword)
    await sql`update sys_user set password_hash = ${known} where is_default`.execute(server.db)
    const { token } = await server.signIn('admin')
    const password = await sealedPassword(server, 'Harbour-2026!')
    const { rows } = await sql<{ id: number }>`select id from sys_user where username = 'retail.operator'`.execute(
      server.db,
    )
    expect(
      await server.request('POST', '/api/v1/oauth/users/resetPassword', { id: rows[0]?.id, password }, { token }),
    ).toMatchObject({ code: 21266 })
  })

  it('gives its devices credentials and codes that nobody knows', async () => {
    const other = await startTestApp()
    try {
      await seed({ db: other.db, config: { host: '127.0.0.1', demo: true } })
      const of = async ({ db }: Pick<TestApp, 'db'>) => {
        const { rows } = await sql<{ secret: string }>`select encode(credential_hash, 'base64') as secret from device
          where credential_hash is not null union select activation_code from activation_code
          where activation_code is not null`.execute(db)
        return rows.map(({ secret }) => secret)
      }
      const first = new Set(await of(server))
      const second = await of(other)
      expect(second.length).toBeGreaterThan(200)
      expect(second.filter((secret) => first.has(secret))).toEqual([])
    } finally {
      await other.stop()
    }
  })
})
