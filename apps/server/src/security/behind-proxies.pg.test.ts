import { login } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDepartment, addUser, startTestApp, type TestApp, testPassword } from '../test/app.ts'
import { type TestDatabase, testDatabase } from '../test/pg.ts'

let database: TestDatabase
/** Nobody is believed about whom they speak for. */
let direct: TestApp
/** Two layers of proxies, one of them by range. */
let behind: TestApp

beforeAll(async () => {
  database = await testDatabase()
  direct = await startTestApp({ database })
  behind = await startTestApp({ database, trustedProxies: ['10.0.0.1', '172.16.0.0/12', 'fd00::/8'] })
  const root = await addDepartment(database.db, { name: 'Platform' })
  await addUser(database.db, { username: 'root', departmentId: root, type: 0 })
})
afterAll(async () => {
  await direct.close()
  await behind.close()
  await database.drop()
})
beforeEach(() => sql`delete from rate_limit`.execute(database.db))

/** Which address a sign-in is taken to come from; the account is barred, so the answer names it. */
const seenAs = async (test: TestApp, ip: string, headers: Record<string, string | string[]>) => {
  await sql`update sys_user set whitelist_ip = '{192.0.2.1}'`.execute(database.db)
  const answer = await test.call(
    login,
    { username: 'root', password: testPassword },
    { ip, headers: headers as Record<string, string> },
  )
  expect([21009, 100000]).toContain(answer.code)
  return answer.code === 100000 ? '192.0.2.1' : answer.data.ip
}

describe('a caller’s address', () => {
  it('is the other end of the line where no proxy is declared, whatever they claim', async () => {
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-real-ip': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1' },
      { 'true-client-ip': '192.0.2.1', 'cf-connecting-ip': '192.0.2.1', 'client-ip': '192.0.2.1' },
    ])
      expect(await seenAs(direct, '203.0.113.5', headers)).toBe('203.0.113.5')
  })

  it('is claimed in vain by whoever reaches the server past the proxies', async () => {
    expect(await seenAs(behind, '203.0.113.5', { 'x-forwarded-for': '192.0.2.1' })).toBe('203.0.113.5')
  })

  it('is the last hop nobody vouches for, however much was put before it', async () => {
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).toBe('203.0.113.7')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '192.0.2.1, 203.0.113.7, 172.16.0.9' })).toBe(
      '203.0.113.7',
    )
    expect(
      await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '192.0.2.1, 10.0.0.1, 203.0.113.7, 172.16.0.9' }),
    ).toBe('203.0.113.7')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).toBe('192.0.2.1')
  })

  it('is read from two headers as from one', async () => {
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': ['192.0.2.1', '203.0.113.7, 172.16.0.9'] })).toBe(
      '203.0.113.7',
    )
  })

  it('is one address in all its spellings', async () => {
    expect(await seenAs(behind, '::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).toBe('203.0.113.7')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '::ffff:192.0.2.1' })).toBe('192.0.2.1')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '192.0.2.1:50123' })).toBe('192.0.2.1')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '203.0.113.7:50123' })).toBe('203.0.113.7')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '2001:DB8::7' })).toBe('2001:db8::7')
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': '[2001:db8::7]:443' })).toBe('2001:db8::7')
    expect(await seenAs(behind, 'fd00::5', { 'x-forwarded-for': 'fe80::1%eth0' })).toBe('fe80::1')
  })

  it('other headers count for nothing behind proxies either', async () => {
    expect(await seenAs(behind, '10.0.0.1', { 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' })).toBe('10.0.0.1')
  })

  it('that cannot be read is barred', async () => {
    expect(await seenAs(behind, '10.0.0.1', { 'x-forwarded-for': 'unknown' })).toBe('unknown')
  })
})
