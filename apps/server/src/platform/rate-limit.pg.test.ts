import { startScanLogin } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.stop())

test('more calls at once than there are connections are counted and answered, none waits for another', async () => {
  const calls = Array.from({ length: 30 }, () => server.call(startScanLogin, {}))
  expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(calls.map(() => 100000))
})

test('the call after the last one that is allowed is refused, and told how long to wait', async () => {
  const end = new Date(server.clock.now().getTime() + 30_000)
  await sql`update rate_limit set hits = 2999, window_end = ${end} where name = 'scan'`.execute(server.db)
  expect((await server.call(startScanLogin, {})).code).toBe(100000)
  expect(await server.call(startScanLogin, {})).toMatchObject({ code: 100020, data: { retryAfter: 30 } })
})
