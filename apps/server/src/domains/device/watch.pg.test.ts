import { liveTicket } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevice } from '../../test/mqtt.ts'

let server: TestApp
let host: string
let socket: WebSocket
const messages: { type: string; sn: string; iotStatus?: string; values?: Record<string, { value: unknown }> }[] = []

beforeAll(async () => {
  server = await startTestApp()
  host = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).host
  const root = await addDepartment(server.db, { name: 'Root' })
  const mine = await addDepartment(server.db, { name: 'Mine', parentId: root })
  const other = await addDepartment(server.db, { name: 'Other', parentId: root })
  const role = await addRole(server.db, { departmentId: mine, permissions: ['device:list:list'] })
  await addUser(server.db, { username: 'watcher', departmentId: mine, roleIds: [role] })
  for (const [sn, departmentId] of [
    ['MINE-1', mine],
    ['OTHER-1', other],
  ] as const)
    await addDevice(server.db, { sn, departmentId })
  const { token } = await server.signIn('watcher')
  const { data } = await server.call(liveTicket, {}, { token })
  socket = new WebSocket(`ws://${host}/api/live?ticket=${data.ticket}`, { headers: { origin: `http://${host}` } })
  socket.on('message', (text) => messages.push(JSON.parse(String(text))))
  await new Promise((resolve) => socket.once('open', resolve))
})
afterAll(async () => {
  socket.terminate()
  await server.stop()
})

const change = (set: ReturnType<typeof sql>) => sql`update device_state set ${set}`.execute(server.db)

it('tells a browser what changes about the devices on its screen that its user may see, and only that', async () => {
  socket.send('no message')
  socket.send(JSON.stringify({ type: 'watch', sns: ['MINE-1', 'OTHER-1', 'NONE'] }))
  await expect
    .poll(() => messages, { timeout: 5_000 })
    .toMatchObject([
      { type: 'device', sn: 'MINE-1', iotStatus: 'offline', facts: { lastConnected: null, locked: false } },
    ])
  await change(sql`iot_status = 'online', values = '{"battery":{"v":5,"t":1}}'`)
  await expect
    .poll(() => messages.at(-1), { timeout: 5_000 })
    .toMatchObject({
      sn: 'MINE-1',
      iotStatus: 'online',
      values: { battery: { value: 5, ts: 1 } },
    })
  await change(sql`values = '{"battery":{"v":5,"t":1},"cpu":{"v":9,"t":2}}'`)
  await expect.poll(() => messages.at(-1)?.values, { timeout: 5_000 }).toEqual({ cpu: { value: 9, ts: 2 } })
  await change(sql`firmware_version = '1.2', locked = true`)
  await expect
    .poll(() => messages.at(-1), { timeout: 5_000 })
    .toEqual({ type: 'device', sn: 'MINE-1', facts: { firmwareVersion: '1.2', locked: true } })
  expect(messages.every(({ sn }) => sn === 'MINE-1')).toBe(true)
  socket.send(JSON.stringify({ type: 'watch', sns: [] }))
  const heard = messages.length
  await new Promise((resolve) => setTimeout(resolve, 700))
  await change(sql`iot_status = 'offline'`)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(messages).toHaveLength(heard)
})
