import { device } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../test/app.ts'
import { declaredCalls, nameOf } from './declared-calls.ts'

let server: TestApp
const perMinute = 60
beforeAll(async () => {
  server = await startTestApp({ requestsPerMinute: perMinute })
  const departmentId = await addDepartment(server.db, { name: 'Platform' })
  const roleIds = [await addRole(server.db, { departmentId, permissions: ['org:list:list', device.perms.list] })]
  for (const username of ['hasty', 'calm', 'busy']) await addUser(server.db, { username, departmentId, roleIds })
})
afterAll(() => server.stop())

const ask = (token: string, remoteAddress: string) =>
  server.app.inject({ method: 'GET', url: '/api/v1/oauth/profile', headers: { sessionid: token }, remoteAddress })

it('one account’s requests are counted over all its sessions and addresses, and nobody else’s with them', async () => {
  const sessions = [(await server.signIn('hasty')).token, (await server.signIn('hasty')).token]
  const calm = (await server.signIn('calm')).token
  let granted = 0
  let answer = await ask(sessions[0] as string, '203.0.113.1')
  // Some come back while we ask; nobody asks as slowly as they do.
  for (; answer.statusCode === 200 && granted < 5_000; granted += 1)
    answer = await ask(sessions[granted % 2] as string, `203.0.113.${granted % 250}`)
  expect(granted).toBeGreaterThanOrEqual(perMinute)
  expect(answer.statusCode).toBe(429)
  expect(answer.json()).toMatchObject({ code: 100020 })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask(calm, '203.0.113.1')).statusCode).toBe(200)
})

it('one account has two heavy calls under way, others wait for them, and the rest is told to', async () => {
  const busy = (await server.signIn('busy')).token
  const calm = (await server.signIn('calm')).token
  const total = (token: string) =>
    server.app.inject({ method: 'GET', url: `${device.wire.path}/total`, headers: { sessionid: token } })
  const codeOf = async (answer: ReturnType<typeof total>) => (await answer).json().code as number
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const locked = server.db.transaction().execute(async (tx) => {
    await sql`lock table device_state, device, department_below in access exclusive mode`.execute(tx)
    await held
  })
  const calls = Array.from({ length: 54 }, () => codeOf(total(busy)))
  const first = await Promise.race(calls)
  expect(first).toBe(100005)
  // Whoever waits holds no connection: others are answered meanwhile.
  expect((await ask(calm, '203.0.113.1')).statusCode).toBe(200)
  release()
  await locked
  const codes = await Promise.all(calls)
  expect(codes.filter((code) => code === 100000)).toHaveLength(52)
  expect(codes.filter((code) => code === 100005)).toHaveLength(2)
})

/** A list of a thousand and more, or serial numbers, anywhere in what a call takes. */
const takesMany = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false
  const { maxItems = 0 } = schema as { maxItems?: number }
  return maxItems >= 1_000 || 'sns' in schema || Object.values(schema).some(takesMany)
}

it('every call that takes thousands of rows, looks through everything or reads a sheet is declared heavy', () => {
  const heavy = new Set(
    server.app.routesDeclared.filter(({ rules }) => rules.heavy).map(({ method, url }) => `${method} ${url}`),
  )
  const costly = declaredCalls.filter(
    ({ path, schema }) =>
      /\/(search|total|counts|export|import|importFile|importTransfer|readSerials)$/.test(path) ||
      takesMany(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
  )
  expect(costly.length).toBeGreaterThan(100)
  expect(costly.map(nameOf).filter((name) => !heavy.has(name))).toEqual([])
})
