import { Writable } from 'node:stream'
import { changePassword, login, loginWith2Fa, loginWithSms, profile, refreshSession } from '@campanile/contract'
import * as argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashPassword } from '../platform/password-hash.ts'
import { addDepartment, addUser, sealedPassword, startTestApp, testPassword } from '../test/app.ts'
import { startWorld, type World } from '../test/world.ts'

// Counted, not replaced: how much work an answer costs is what an attacker could measure.
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return { ...real, verify: vi.fn(real.verify) }
})

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from rate_limit`.execute(world.db)
  await sql`update sys_user set failed_count = 0, locked_until = null, disabled = false, valid_end = null, whitelist_ip = '{}'`.execute(
    world.db,
  )
})

const name = 'alder.operator'
const change = (set: ReturnType<typeof sql>) =>
  sql`update sys_user set ${set} where username = ${name}`.execute(world.db)
const attempt = (username: string, password = 'Wrong-horse-7') => world.call(login, { username, password })

describe('V2: nobody raises themselves', () => {
  it.each(['alder.auditor', 'alder.safety', 'alder.operator', 'alder.admin'])('%s', async (username) => {
    const person = await world.as(username)
    const read = async () =>
      (
        await sql<{ id: number }>`select u.id, type, department_id, whitelist_ip, valid_end, disabled,
          array(select role_id from user_role where user_id = u.id order by 1) as roles from sys_user u where username = ${username}`.execute(
          world.db,
        )
      ).rows[0]
    const before = await read()
    const roles = await sql<{ id: number }>`select id from sys_role order by id`.execute(world.db)
    for (const extra of [
      { type: 0 },
      { departmentId: world.root },
      { departmentId: world.b.id },
      { roleIds: roles.rows.map(({ id }) => id) },
      { whitelistIp: [] },
      { validEnd: '2999-01-01' },
      { isDefault: true },
      { enable2fa: true },
    ])
      await person.put('/api/v1/oauth/users/update', { id: before?.id, ...extra })
    expect(await read()).toEqual(before)
  })
})

describe('V8: a token is worth nothing at another installation', () => {
  it('however alike the two are', async () => {
    const { token } = await world.signIn(name)
    const other = await startTestApp()
    const root = await addDepartment(other.db, { name: 'Platform' })
    await addUser(other.db, { username: name, departmentId: root, type: 0 })
    const theirs = await other.signIn(name)
    expect((await other.call(refreshSession, {}, { token })).code).toBe(100012)
    expect((await world.call(refreshSession, {}, { token: theirs.token })).code).toBe(100012)
    await other.stop()
  })
})

describe('V10: one counter for every way in', () => {
  it('locks at five wrong tries over spellings and the prompt for the old password, and not by message codes', async () => {
    await sql`insert into system_config (key, value) values ('smsWebhook', '"https://sms.example/send"')`.execute(
      world.db,
    )
    await change(sql`mobile = '13800138000', confirmed_mobile = '13800138000'`)
    world.clock.advance(2)
    const { token } = await world.signIn(name)
    expect((await attempt('ALDER.Operator')).code).toBe(21002)
    expect((await attempt('ａｌｄｅｒ.operator ')).code).toBe(21002)
    for (let n = 0; n < 6; n++)
      expect((await world.call(loginWithSms, { mobile: '13800138000', code: '000000' })).code).toBe(21002)
    expect((await attempt('Alder.operator')).code).toBe(21002)
    const oldPassword = await sealedPassword(world, 'Wrong-horse-7')
    const newPassword = await sealedPassword(world, 'New-horse-77')
    expect(await world.call(changePassword, { oldPassword, newPassword }, { token })).toMatchObject({
      code: 21002,
      data: { remaining: 1, field: 'oldPassword' },
    })
    expect((await attempt('alder.operator\u0000')).code).toBe(21002)
    expect((await attempt(name, testPassword)).code).toBe(21003)
  })
})

describe('V12: a wrong password costs the same for everybody', () => {
  // Stored as the product stores it; test accounts have quick ones.
  beforeAll(async () => {
    await change(sql`password_hash = ${await hashPassword(testPassword)}`)
  })

  it.each([
    ['a name that does not exist', 'nobody', sql`disabled = false`],
    ['a name that does', name, sql`disabled = false`],
    ['a disabled account', name, sql`disabled = true`],
    ['an account outside its validity', name, sql`valid_end = '2020-01-01'`],
    ['an account barred from here', name, sql`whitelist_ip = '{192.0.2.1}'`],
    ['a locked account', name, sql`locked_until = '2999-01-01'`],
  ])('%s', async (_, username, set) => {
    await change(set)
    await attempt('somebody-else')
    const verify = vi.mocked(argon2.verify)
    verify.mockClear()
    expect(await attempt(username)).toEqual({
      status: 400,
      code: 21002,
      message: expect.any(String),
      data: { field: 'password' },
    })
    expect(verify).toHaveBeenCalledTimes(1)
    const [[stored] = []] = verify.mock.calls
    expect(String(stored)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('what is secret', () => {
  it('is in no log line, whatever goes wrong', async () => {
    const lines: string[] = []
    const into = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const loud = await startTestApp({ log: pino({ level: 'trace' }, into) })
    const root = await addDepartment(loud.db, { name: 'Platform' })
    await addUser(loud.db, { username: 'root', departmentId: root, type: 0 })
    const { token } = await loud.signIn('root')
    await loud.call(login, { username: 'root', password: 'Wrong-horse-7' })
    await loud.request('POST', '/api/v1/login', { username: 'root', password: ['Wrong-horse-8'] })
    await loud.request('POST', `/api/v1/loginWith2Fa?ticket=${token}`, { ticket: token, code: 'secret-code' })
    await loud.call(loginWith2Fa, { ticket: token, code: '123456' })
    await loud.call(profile, {}, { token })
    const owner = new pg.Client(loud.database.owner)
    await owner.connect()
    await owner.query('drop table notification')
    await owner.end()
    expect((await loud.request('GET', '/api/v1/oauth/notifications', undefined, { token })).status).toBeGreaterThan(499)
    expect(lines.length).toBeGreaterThan(0)
    const { rows } = await sql<{ line: string }>`select row_to_json(l)::text as line from op_log_now() l`.execute(
      loud.db,
    )
    const everything = [...lines, ...rows.map(({ line }) => line)].join('\n')
    expect(rows.length).toBeGreaterThan(2)
    for (const secret of [token, testPassword, 'Wrong-horse-7', 'Wrong-horse-8', 'secret-code'])
      expect(everything).not.toContain(secret)
    await loud.stop()
  })
})
