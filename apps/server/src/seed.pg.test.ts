import { checkPassword, shippedDictionaries } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from './platform/refusal.ts'
import { seed } from './seed.ts'
import { startTestApp, type TestApp } from './test/app.ts'

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
    await expect(seed({ db: server.db, config: { host: '0.0.0.0', demo: true } })).rejects.toThrow(Refusal)
    await expect(seed({ db: server.db, config: { host: '0.0.0.0', demo: false } })).rejects.toThrow(
      /published password/,
    )
    await sql`update sys_user set disabled = true where not is_default`.execute(server.db)
    await expect(seed({ db: server.db, config: { host: '0.0.0.0', demo: false } })).resolves.toEqual({})
  })
})
