import { captcha, liveTicket, logout, publicKey, refreshSession } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRateLimit } from '../../platform/rate-limit.ts'
import { addDepartment, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { sweep } from './housekeeping.ts'
import { resetPassword } from './reset-password.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  const root = await addDepartment(test.db, { name: 'Platform' })
  await addUser(test.db, { username: 'root', departmentId: root, type: 0 })
})
afterAll(() => test.stop())

const tidy = () => {
  const { db, clock, settings } = test
  return sweep({ db, clock, settings, rateLimit: createRateLimit({ db, clock }) })
}
const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(test.db)).rows[0]?.n

describe('housekeeping', () => {
  it('leaves what still counts and removes what has run out', async () => {
    const drawn = await startTestApp({ captcha: true, database: test.database, clock: test.clock })
    await drawn.call(captcha, {})
    await drawn.close()
    await test.call(publicKey, {})
    const ended = await test.signIn('root')
    await test.call(logout, {}, { token: ended.token })
    const { token } = await test.signIn('root')
    await test.call(liveTicket, {}, { token })
    await tidy()
    expect([await count('captcha'), await count('login_ticket'), await count('session')]).toEqual([1, 2, 2])
    expect(await count('rate_limit')).toBeGreaterThan(0)

    test.clock.advance(6 * 60)
    await tidy()
    expect([await count('captcha'), await count('login_ticket'), await count('session')]).toEqual([0, 0, 2])

    test.clock.advance(86_400 + 13 * 3600)
    await tidy()
    expect([await count('session'), await count('rate_limit')]).toEqual([0, 0])
    expect((await test.call(refreshSession, {}, { token })).code).toBe(100012)
  })
})

describe('resetting a password at the server', () => {
  it('makes a new one, unlocks the account and ends its sessions', async () => {
    const { token } = await test.signIn('root')
    await sql`update sys_user set failed_count = 5, locked_until = '2999-01-01'`.execute(test.db)
    const password = await resetPassword(test.db, ' ROOT ')
    expect((await test.call(refreshSession, {}, { token })).code).toBe(100006)
    await test.signIn('root', password)
    const { rows } = await sql<{ line: string }>`select row_to_json(l)::text as line from op_log_now() l
      where route = 'user reset-password'`.execute(test.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.line).not.toContain(password)
  })

  it('says when there is no such account', async () => {
    expect(await resetPassword(test.db, 'nobody')).toBeUndefined()
  })
})
