import { login, notifications } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as passwordHash from '../../platform/password-hash.ts'
import { addDepartment, addRole, addUser, newsTold, startTestApp, type TestApp, testPassword } from '../../test/app.ts'

let test: TestApp
const at = { root: 0, enterprise: 0 }
let roleId = 0
let nextIp = 0
/** A fresh address, so that one test's failures do not slow down the next. */
const elsewhere = () => {
  nextIp += 1
  return `198.51.${Math.floor(nextIp / 250)}.${(nextIp % 250) + 1}`
}

beforeAll(async () => {
  test = await startTestApp()
  at.root = await addDepartment(test.db, { name: 'Platform' })
  at.enterprise = await addDepartment(test.db, { name: 'Enterprise', parentId: at.root, type: 1 })
  roleId = await addRole(test.db, { departmentId: at.enterprise, permissions: ['org:list:list'] })
  await addUser(test.db, { username: 'root', departmentId: at.root, type: 0 })
  await addUser(test.db, { username: 'Guard', departmentId: at.enterprise, roleIds: [roleId] })
})
afterAll(() => test.stop())
beforeEach(async () => {
  await sql`update sys_user set failed_count = 0, locked_until = null, disabled = false, valid_start = null, valid_end = null,
    whitelist_ip = '{}'`.execute(test.db)
  await sql`delete from rate_limit`.execute(test.db)
})

const attempt = (username: string, password = 'Wrong-horse-7', ip = elsewhere()) =>
  test.call(login, { username, password }, { ip })
const answers = (answer: { code: number; data: Record<string, unknown> }) => [answer.code, answer.data.remaining]

describe('wrong passwords', () => {
  it('tell the attempts left from the third on and lock at the fifth, for thirty minutes', async () => {
    const told = []
    const ip = elsewhere()
    for (let n = 0; n < 5; n++) told.push(answers(await attempt('guard', undefined, ip)))
    expect(told).toEqual([
      [21002, undefined],
      [21002, undefined],
      [21002, 2],
      [21002, 1],
      [21014, undefined],
    ])
    expect(await attempt('guard', testPassword)).toMatchObject({ status: 403, code: 21003, data: { minutes: 30 } })
    test.clock.advance(29 * 60)
    expect(await attempt('guard', testPassword)).toMatchObject({ code: 21003, data: { minutes: 1 } })
    test.clock.advance(61)
    expect((await attempt('guard', testPassword)).code).toBe(100000)
  })

  it('count once for all spellings of a name', async () => {
    const spellings = ['GUARD', ' guard ', 'ｇｕａｒｄ', 'guard\u0000', 'gu\u200bard\ufeff']
    const told = []
    const ip = elsewhere()
    for (const spelling of spellings) told.push((await attempt(spelling, undefined, ip)).code)
    expect(told).toEqual([21002, 21002, 21002, 21002, 21014])
    expect((await attempt('Guard', testPassword)).code).toBe(21003)
  })

  it('say the same of a name that does not exist, to the letter', async () => {
    const of = async (username: string) => {
      const told = []
      const ip = elsewhere()
      for (let n = 0; n < 7; n++) {
        const { status, code, message, data } = await attempt(username, undefined, ip)
        told.push({ status, code, message, data })
      }
      return told
    }
    expect(await of('nobody')).toEqual(await of('guard'))
  })

  it('say the same of accounts that are disabled, outside their validity or barred by address', async () => {
    const plain = await attempt('nobody')
    for (const change of [
      sql`disabled = true`,
      sql`valid_end = '2020-01-01'`,
      sql`whitelist_ip = '{203.0.113.9}'`,
      sql`locked_until = ${new Date(test.clock.now().getTime() + 60_000)}`,
    ]) {
      await sql`update sys_user set failed_count = 0, locked_until = null, disabled = false, valid_end = null, whitelist_ip = '{}'`.execute(
        test.db,
      )
      await sql`update sys_user set ${change} where username = 'Guard'`.execute(test.db)
      expect(await attempt('guard')).toEqual(plain)
    }
  })

  it('are forgotten after a right one', async () => {
    const ip = elsewhere()
    for (let n = 0; n < 4; n++) await attempt('guard', undefined, ip)
    expect((await attempt('guard', testPassword, ip)).code).toBe(100000)
    expect(answers(await attempt('guard', undefined, ip))).toEqual([21002, undefined])
  })

  it('are verified twice an address while the account is locked, so that its lock is no way to go on guessing', async () => {
    for (let n = 0; n < 5; n++) await attempt('guard')
    const verified = vi.spyOn(passwordHash, 'verifyPassword')
    const ip = elsewhere()
    for (let n = 0; n < 3; n++) await attempt('guard', undefined, ip)
    expect(verified).toHaveBeenCalledTimes(2)
    verified.mockRestore()
    expect((await attempt('guard', testPassword, ip)).code).toBe(21002)
    for (let n = 0; n < 4; n++) expect((await attempt('guard', testPassword)).code).toBe(21003)
  })

  it('a hundred at once are five attempts', async () => {
    const verified = vi.spyOn(passwordHash, 'verifyPassword')
    const told = await Promise.all(Array.from({ length: 100 }, () => attempt('guard')))
    // From a hundred addresses, each of which has tried once.
    expect(told.map(answers)).toEqual(Array.from({ length: 100 }, () => [21002, undefined]))
    const { rows } = await sql<{
      count: number
    }>`select failed_count as count from sys_user where username = 'Guard'`.execute(test.db)
    expect(rows[0]?.count).toBe(5)
    expect(verified).toHaveBeenCalledTimes(5)
    verified.mockRestore()
    // A hundred hashes take their time where others work too.
  }, 120_000)

  it('stop an address that tries everybody before it has locked out everybody', async () => {
    const ip = elsewhere()
    const codes = []
    for (let n = 0; n < 55; n++) codes.push((await attempt(`user${n % 11}`, undefined, ip)).code)
    expect(codes.slice(50)).toEqual([21028, 21028, 21028, 21028, 21028])
    expect((await attempt('guard', testPassword, ip)).code).toBe(21028)
    expect((await attempt('guard', testPassword)).code).toBe(100000)
  })

  it('of people who sign in rightly never stop their office', async () => {
    const ip = elsewhere()
    for (let n = 0; n < 60; n++) expect((await attempt('guard', testPassword, ip)).code).toBe(100000)
  }, 240_000)
})

describe('the right password', () => {
  it('may come thirty times at once', async () => {
    const codes = await Promise.all(Array.from({ length: 30 }, () => attempt('guard', testPassword)))
    expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 30 }, () => 100000))
  })

  it.each([
    [21268, sql`disabled = true`],
    [21019, sql`valid_end = '2020-01-01'`],
    [21019, sql`valid_start = '2999-01-01'`],
    [21009, sql`whitelist_ip = '{203.0.113.0/24}'`],
  ])('is answered with %i where the account is not welcome', async (code, change) => {
    await sql`update sys_user set ${change} where username = 'Guard'`.execute(test.db)
    expect((await attempt('guard', testPassword)).code).toBe(code)
  })

  it('is answered with 21005 where no role is bound', async () => {
    await addUser(test.db, { username: 'idle', departmentId: at.enterprise })
    expect(await attempt('idle', testPassword)).toMatchObject({ status: 403, code: 21005 })
  })

  it('is compared exactly: no trimming, no folding', async () => {
    for (const password of [
      ` ${testPassword}`,
      `${testPassword} `,
      testPassword.toLowerCase(),
      `${testPassword}\u0000`,
    ])
      expect((await attempt('guard', password)).code).toBe(21002)
  })

  it('may hold 128 characters and any script', async () => {
    const password = `Aa1!${'密😀'.repeat(31)}`
    await addUser(test.db, { username: 'poet', departmentId: at.enterprise, roleIds: [roleId], password })
    expect((await attempt('poet', password)).code).toBe(100000)
    expect((await attempt('poet', 'x'.repeat(129))).code).toBe(100002)
  })

  it('of the super administrator raises an alert, which reaches those who watch over the installation with them', async () => {
    const roleIds = [await addRole(test.db, { departmentId: at.root, permissions: ['org:list:list'] })]
    await addUser(test.db, { username: 'officer', departmentId: at.root, type: 1, roleIds })
    await addUser(test.db, { username: 'clerk', departmentId: at.root, type: 2, roleIds })
    const { token } = await test.signIn('root', testPassword, { ip: '203.0.113.77' })
    const told = { unread: 1, rows: [{ type: 'alert', text: expect.stringContaining('203.0.113.77') }] }
    const alertsOf = async (as: string) => (await test.call(notifications, { type: 'alert' }, { token: as })).data
    await newsTold(test.db)
    expect(await alertsOf(token)).toMatchObject(told)
    expect(await alertsOf((await test.signIn('officer')).token)).toMatchObject(told)
    expect(await alertsOf((await test.signIn('clerk')).token)).toMatchObject({ rows: [] })
    expect(await alertsOf((await test.signIn('guard')).token)).toMatchObject({ rows: [] })
  })
})

describe('an address list', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9', true],
    ['203.0.113.9', '203.0.113.10', false],
    ['203.0.113.0/24', '203.0.113.200', true],
    ['2001:db8::/32', '2001:DB8:0:0::1', true],
    ['2001:db8::1', '2001:db8:0:0:0:0:0:1', true],
    ['203.0.113.9', '::ffff:203.0.113.9', true],
    ['::ffff:203.0.113.9', '203.0.113.9', true],
    ['nonsense', '203.0.113.9', false],
  ])('%s lets %s in: %s', async (entry, ip, allowed) => {
    await sql`update sys_user set whitelist_ip = array[${entry}] where username = 'Guard'`.execute(test.db)
    expect((await attempt('guard', testPassword, ip)).code).toBe(allowed ? 100000 : 21009)
  })

  it('acts on the next request of a session that is already open', async () => {
    const { token } = await test.signIn('guard', testPassword, { ip: '203.0.113.1' })
    const read = (ip: string) => test.call(notifications, {}, { token, ip })
    expect((await read('203.0.113.1')).code).toBe(100000)
    await sql`update sys_user set whitelist_ip = '{203.0.113.2}' where username = 'Guard'`.execute(test.db)
    expect(await read('203.0.113.1')).toMatchObject({ status: 403, code: 21009 })
    expect((await read('203.0.113.2')).code).toBe(100000)
  })
})
