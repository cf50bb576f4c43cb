import { commands, device, lookAtTargets, previewTask } from '@campanile/contract'
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
  const permissions = ['org:list:list', device.perms.list, commands.reboot.perm]
  const roleIds = [await addRole(server.db, { departmentId, permissions })]
  for (const username of ['hasty', 'calm', 'busy', 'gone'])
    await addUser(server.db, { username, departmentId, roleIds })
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

// An answer that is injected is asked for once somebody waits for it.
const preview = async (token: string, payload: object) =>
  await server.app.inject({ method: 'POST', url: previewTask.path, headers: { sessionid: token }, payload })
const wrong = { sns: Array.from({ length: 10_000 }, () => 'no serial number') }

it('whoever may not give a command is told so before anything else of the order is checked', async () => {
  const { token } = await server.signIn('busy')
  expect((await preview(token, { command: 'reboot', ...wrong })).json().code).toBe(100002)
  expect((await preview(token, { command: 'lock', ...wrong })).json().code).toBe(100013)
  const look = { method: 'POST', url: lookAtTargets.path, headers: { sessionid: token } } as const
  expect((await server.app.inject({ ...look, payload: { command: 'lock', ...wrong } })).json().code).toBe(100013)
})

/** While others hold these tables. */
const whileHeld = async (tables: string, work: () => Promise<unknown>) => {
  let release = () => {}
  const over = new Promise<void>((resolve) => {
    release = resolve
  })
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const held = server.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.raw(tables)} in access exclusive mode`.execute(tx)
    begin()
    await over
  })
  await begun
  await work().finally(release)
  await held
}

/** How many statements of this installation wait for a lock. */
const waiting = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`.execute(server.db)
  return rows[0]?.n
}

it('what a heavy call was sent is checked when its turn has come, not before', async () => {
  const { token } = await server.signIn('gone')
  const calls: ReturnType<typeof preview>[] = []
  await whileHeld('device_state, device', async () => {
    calls.push(...[1, 2].map(() => preview(token, { command: 'reboot', sns: ['A-1'] })))
    await expect.poll(waiting).toBe(2)
    const third = preview(token, { command: 'reboot', ...wrong })
    calls.push(third)
    const later = new Promise((resolve) => setTimeout(resolve, 500, 'waiting'))
    expect(await Promise.race([third.then(() => 'checked'), later])).toBe('waiting')
  })
  expect((await calls[2])?.json().code).toBe(100002)
})

it('one whose caller has gone stops at the next thing it asks of the database, and gives its turn back', async () => {
  const { token } = await server.signIn('gone')
  const base = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const connections = () =>
    new Promise((resolve) => server.app.server.getConnections((_error, count) => resolve(count)))
  const order = () =>
    fetch(`${base}${previewTask.path}`, {
      method: 'POST',
      headers: { sessionid: token, 'content-type': 'application/json' },
      body: JSON.stringify({ command: 'reboot', sns: ['A-1'] }),
      signal: leaving.signal,
    }).catch(() => 'gone')
  await whileHeld('command', async () => {
    await whileHeld('device_state, device', async () => {
      const orders = [order(), order()]
      await expect.poll(waiting).toBe(2)
      leaving.abort()
      expect(await Promise.all(orders)).toEqual(['gone', 'gone'])
      await expect.poll(connections).toBe(0)
    })
    const total = { method: 'GET', url: `${device.wire.path}/total`, headers: { sessionid: token } } as const
    expect((await server.app.inject(total)).json().code).toBe(100000)
  })
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
