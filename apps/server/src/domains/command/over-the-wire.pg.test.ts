import { setTimeout as sleep } from 'node:timers/promises'
import { createBrokerTask, createTask, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { connectDevice, eventually } from '../../test/mqtt.ts'

/** The real gateway, the real database, and a device down to the bytes. */
let server: TestApp
let departmentId: number
let token: string

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  await addUser(server.db, { username: 'root', departmentId, type: 0 })
  token = (await server.signIn('root')).token
})
afterAll(() => server.stop())

const stateOf = async (sn: string) =>
  (
    await sql<{ state: string; attempt: number }>`select state, attempt from command where sn = ${sn}`.execute(
      server.db,
    )
  ).rows[0]
const until = (sn: string, state: string) =>
  eventually(
    () => stateOf(sn),
    (row) => row?.state === state,
  )
const listen = async (device: { sn: string; password: string }) => {
  const line = await connectDevice({ port: server.app.doors.device.port, ...device })
  await line.subscribe(protocol.commandTopic(device.sn))
  return line
}
const give = (sn: string, command: 'message' | 'reboot', args = {}) =>
  server.call(createTask, { command, args, sns: [sn] }, { token })
const commandsOf = (line: Awaited<ReturnType<typeof listen>>) =>
  line.received.flatMap((packet) =>
    packet.cmd === 'publish' ? [JSON.parse(String(packet.payload)) as protocol.CommandMessage] : [],
  )
const first = (line: Awaited<ReturnType<typeof listen>>) =>
  eventually(
    async () => commandsOf(line)[0],
    (message) => message !== undefined,
  ) as Promise<protocol.CommandMessage>

describe('a command over the wire', () => {
  it('reaches a device that is there and is done by its answer', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-1', departmentId })
    const line = await listen(device)
    expect((await give('WIRE-1', 'message', { title: 'Hello', text: 'there' })).code).toBe(100000)
    const message = await first(line)
    expect(message).toMatchObject({ name: 'message', args: { title: 'Hello', text: 'there' } })
    expect(message.expires).toBeGreaterThan(Date.now())
    await line.publish(protocol.upTopic('WIRE-1', 'reply'), { id: message.id, state: 'acknowledged' })
    await until('WIRE-1', 'acknowledged')
    await line.publish(protocol.upTopic('WIRE-1', 'reply'), { id: message.id, state: 'done', result: { shown: true } })
    await until('WIRE-1', 'done')
    line.goodbye()
  })

  it('waits for a device that is not, and is sent again when it left without an answer', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-2', departmentId })
    await give('WIRE-2', 'reboot')
    expect(await stateOf('WIRE-2')).toMatchObject({ state: 'queued' })
    const line = await listen(device)
    const message = await first(line)
    await until('WIRE-2', 'sent')
    line.vanish()
    const again = await listen(device)
    expect((await first(again)).id).toBe(message.id)
    await again.publish(protocol.upTopic('WIRE-2', 'reply'), { id: message.id, state: 'failed', error: 'not now' })
    await until('WIRE-2', 'failed')
    again.goodbye()
  })

  it('given while the device’s coming is still being written reaches it without waiting for a sweep', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-4', departmentId })
    const line = await server.db.transaction().execute(async (tx) => {
      await sql`select from device_state where device_id = ${device.id} for update`.execute(tx)
      const listening = await listen(device)
      expect((await give('WIRE-4', 'reboot')).code).toBe(100000)
      // Longer than word of a new command needs.
      await sleep(500)
      return listening
    })
    expect(await first(line)).toMatchObject({ name: 'reboot' })
    line.goodbye()
  })

  it('larger than the device takes is not sent, and fails with the reason', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-5', departmentId })
    const line = await connectDevice({
      port: server.app.doors.device.port,
      ...device,
      version: 5,
      packet: { properties: { maximumPacketSize: 256 } },
    })
    await line.subscribe(protocol.commandTopic(device.sn))
    expect((await give('WIRE-5', 'message', { title: 'Long', text: 'x'.repeat(250) })).code).toBe(100000)
    await until('WIRE-5', 'failed')
    const { rows } = await sql`select reason from command where sn = 'WIRE-5'`.execute(server.db)
    expect(rows).toEqual([{ reason: 'tooLargeForDevice' }])
    expect(commandsOf(line)).toEqual([])
    line.goodbye()
  })

  it('is stored with its answer and what else the device says, although they look like what cannot be', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-6', departmentId })
    const line = await listen(device)
    await give('WIRE-6', 'reboot')
    const { id } = await first(line)
    const odd = { path: 'C:\\u0000', half: '\ud83d', nul: 'a\u0000b' }
    const said = [
      line.publish(protocol.upTopic('WIRE-6', 'event'), { id: 'e1', ts: Date.now(), type: 'odd', data: odd }),
      line.publish(protocol.upTopic('WIRE-6', 'reply'), { id, state: 'done', result: odd }),
    ]
    await Promise.all(said)
    await until('WIRE-6', 'done')
    const { rows } = await sql<{ path: string }>`select data->>'path' as path from device_event where event_id = 'e1'
      union all select result->>'path' from command where sn = 'WIRE-6'`.execute(server.db)
    expect(rows).toEqual([{ path: odd.path }, { path: odd.path }])
    line.goodbye()
  })

  it.each([
    { chosen: 0, subscribed: 1, given: 0 },
    { chosen: 1, subscribed: 1, given: 1 },
    { chosen: 1, subscribed: 0, given: 0 },
    { chosen: undefined, subscribed: 2, given: 1 },
  ] as const)('chosen with QoS $chosen comes with $given where $subscribed was subscribed', async (qos) => {
    const sn = `WIRE-Q${qos.chosen}${qos.subscribed}`
    const device = await addDevice(server.db, { sn, departmentId })
    const line = await connectDevice({ port: server.app.doors.device.port, ...device })
    await line.subscribe(protocol.commandTopic(sn), qos.subscribed)
    const order = { name: 'Blink', topic: 'lamp/blink', payload: '{"times":3}', sns: [sn] }
    const given = await server.call(
      createBrokerTask,
      { ...order, ...(qos.chosen !== undefined && { qos: qos.chosen }) },
      { token },
    )
    expect(given.code).toBe(100000)
    const message = await first(line)
    expect(line.received.find(({ cmd }) => cmd === 'publish')).toMatchObject({ qos: qos.given })
    await line.publish(protocol.upTopic(sn, 'reply'), { id: message.id, state: 'done' })
    await until(sn, 'done')
    line.goodbye()
  })

  it('ends the connection of a device that is deleted', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-3', departmentId })
    const line = await listen(device)
    const removed = await server.request('DELETE', '/api/v3/device/basic/delete', { ids: [device.id] }, { token })
    expect(removed.code).toBe(100000)
    await eventually(
      async () => line.isClosed(),
      (closed) => closed,
    )
  })
})

describe('a secret over the wire', () => {
  const stored = async (sn: string) =>
    (
      await sql<{ all: string }>`select concat(
          (select json_agg(e) from device_event e where e.device_id = d.id),
          (select row_to_json(s) from device_state s where s.device_id = d.id),
          (select json_agg(c) from command c where c.device_id = d.id)) as all from device d where d.sn = ${sn}`.execute(
        server.db,
      )
    ).rows[0]?.all ?? ''

  it('is not kept where its device repeats it in events, states and answers', async () => {
    const device = await addDevice(server.db, { sn: 'WIRE-SECRET', departmentId })
    const line = await listen(device)
    const args = { mode: 'single', packages: ['a.b'], exitPassword: 'EXIT-4711', statusBar: true, homeKey: true }
    await server.call(createTask, { command: 'kioskOn', args, sns: [device.sn] }, { token })
    const message = await first(line)
    expect(message.args).toMatchObject({ exitPassword: 'EXIT-4711' })
    const say = (kind: 'reply' | 'event' | 'state', body: object) =>
      line.publish(protocol.upTopic(device.sn, kind), body)
    await say('event', {
      id: 'e1',
      type: 'kiosk',
      text: 'left by EXIT-4711',
      data: { echo: ['EXIT-4711'], password: 'WORD-4711', 密码: 'WORT-4711', key: 'home' },
    })
    await say('state', { battery: 50, ownText: 'now EXIT-4711', wifiPassword: 'WIFI-4711', door2: 'open' })
    await say('reply', { id: message.id, state: 'done', result: { echo: 'EXIT-4711', PassWord_1: 'ECHO-4711' } })
    await until(device.sn, 'done')
    const all = await eventually(
      () => stored(device.sn),
      (text) => text.includes('kiosk') && text.includes('door2'),
    )
    expect(all).not.toMatch(/(EXIT|WORD|WORT|WIFI|ECHO)-4711/)
    expect(all).toContain('left by ***')
    expect(all).toMatch(/"key": ?"home"/)
  })
})
