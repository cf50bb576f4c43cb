import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { deviceTimeline, homeSummary, liveTicket, refusedConnections, type TimelineEntry } from '@campanile/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addDepartment, addUser, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { connectDevice, eventually } from '../test/mqtt.ts'

let server: TestApp
let device: { sn: string; password: string }
let token: string
let departmentId: number
const patienceMs = 60_000

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  device = await addDevice(server.db, { sn: 'WATCHED', departmentId })
  await addUser(server.db, { username: 'root', departmentId, type: 0 })
  token = (await server.signIn('root')).token
})
afterAll(() => server.stop())

const pid = () => server.app.doors.device.gatewayPid as number
const port = () => server.app.doors.device.port
const ready = () => server.request('GET', '/readyz')
const figure = async (name: string) =>
  Number((await server.app.inject('/metrics')).body.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1])
/** What people read on the home page and under "Device missing?". */
const notServedSince = async () => {
  const home = await server.call(homeSummary, { since: '2026-01-01T00:00:00Z' }, { token })
  const refused = await server.call(refusedConnections, {}, { token })
  return [home.data.notServedSince, refused.data.notServedSince]
}
const isServed = async () => (await connectDevice({ port: port(), ...device }).catch(() => undefined))?.code === 0

it('says that it is ready while devices are served', async () => {
  expect(await ready()).toMatchObject({ status: 200, data: { database: true, migrations: true, gateway: true } })
  expect(await figure('campanile_gateway_up')).toBe(1)
  expect(await notServedSince()).toEqual([null, null])
  expect(await isServed()).toBe(true)
})

it('says so when the gateway stands still, and replaces it', async () => {
  const still = pid()
  process.kill(still, 'SIGSTOP')
  expect(await eventually(ready, ({ status }) => status === 503, patienceMs)).toMatchObject({
    data: { database: true, gateway: false },
  })
  expect(await figure('campanile_gateway_up')).toBe(0)
  expect(await notServedSince()).toEqual([expect.stringMatching(/^20/), expect.stringMatching(/^20/)])
  await eventually(ready, ({ status }) => status === 200, patienceMs)
  expect(pid()).not.toBe(still)
  expect(await isServed()).toBe(true)
  expect(await figure('campanile_gateway_restarts_total')).toBe(1)
})

it('tells browsers at once that nobody knows who is there, and devices’ timelines that the connection ended', async () => {
  const host = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).host
  const { data } = await server.call(liveTicket, {}, { token })
  const browser = new WebSocket(`ws://${host}/api/live?ticket=${data.ticket}`, {
    headers: { origin: `http://${host}` },
  })
  const heard: unknown[] = []
  browser.on('message', (text) => heard.push(JSON.parse(String(text))))
  await new Promise((resolve) => browser.once('open', resolve))
  await eventually(ready, ({ status }) => status === 200, patienceMs)
  browser.send(JSON.stringify({ type: 'serving' }))
  await eventually(
    async () => heard.length,
    (count) => count === 1,
  )
  expect(heard).toEqual([{ type: 'serving', notServedSince: null }])
  // One that nobody connected before: what ends an older connection is no news here.
  const told = await addDevice(server.db, { sn: 'TOLD', departmentId })
  const happened = async () => {
    const { data } = await server.call(deviceTimeline, { sn: told.sn }, { token })
    return (data.rows as TimelineEntry[]).filter(({ kind }) => kind === 'connected' || kind === 'disconnected')
  }
  await connectDevice({ port: port(), ...told })
  await eventually(happened, (rows) => rows[0]?.kind === 'connected')
  const before = await happened()
  process.kill(pid(), 'SIGKILL')
  await eventually(
    async () => heard,
    (all) => all.length === 3,
    patienceMs,
  )
  expect(heard.slice(1)).toEqual([
    { type: 'serving', notServedSince: expect.stringMatching(/^20/) },
    { type: 'serving', notServedSince: null },
  ])
  expect((await connectDevice({ port: port(), ...told })).code).toBe(0)
  const after = await eventually(happened, (rows) => rows.length >= before.length + 2)
  const fresh = after.slice(0, after.length - before.length)
  expect(fresh.at(-1)).toMatchObject({ kind: 'disconnected', data: { reason: 'serverRestart' } })
  expect(fresh.filter(({ data: { reason } }) => reason === 'serverRestart')).toHaveLength(1)
  expect(fresh.at(-2)).toMatchObject({ kind: 'connected' })
  browser.terminate()
})

it('says so while its port is taken after it was killed, and takes it back when it is free', async () => {
  const taken = port()
  const thief = createServer((socket) => socket.destroy())
  process.kill(pid(), 'SIGKILL')
  // The one who takes the port comes a moment before the restart.
  await eventually(
    () =>
      new Promise<boolean>((resolve) =>
        thief.once('error', () => resolve(false)).listen(taken, '127.0.0.1', () => resolve(true)),
      ),
    (got) => got,
  )
  await eventually(ready, ({ status }) => status === 503, patienceMs)
  await sleep(3_000)
  expect(await ready()).toMatchObject({ status: 503, data: { gateway: false } })
  await new Promise((resolve) => thief.close(resolve))
  await eventually(ready, ({ status }) => status === 200, patienceMs)
  expect(await isServed()).toBe(true)
  expect(port()).toBe(taken)
})
