import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { activate, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebSocketStream, WebSocket } from 'ws'
import type { DeviceReply } from '../domains/device/index.ts'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { connectDevice, eventually, sendTo } from '../test/mqtt.ts'

const run = promisify(execFile)
const replies: DeviceReply[] = []
let server: TestApp
let departmentId: number
let port: number
let made = 0

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  const { device: devices } = server.app.doors
  devices.onReply(async (_tx, some) => {
    replies.push(...some)
  })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  port = devices.port
})
afterAll(() => server.stop())

const newDevice = () => addDevice(server.db, { sn: `UNIT-${++made}`, departmentId })
const online = async (version: 3 | 4 | 5 = 4) => {
  const device = await newDevice()
  const line = await connectDevice({ port, ...device, version })
  expect(line.code).toBe(0)
  return { device, line }
}
const stateOf = async (id: number) => {
  const { rows } = await sql<{
    iotStatus: string
    firmware: string | null
    battery: number | null
    reason: string | null
    values: Record<string, { v: unknown; t: number }>
  }>`select iot_status as "iotStatus", firmware_version as firmware, battery, disconnect_reason as reason, values
    from device_state where device_id = ${id}`.execute(server.db)
  return rows[0]
}
const gone = (id: number, reason: string) =>
  eventually(
    () => stateOf(id),
    (state) => state?.iotStatus === 'offline' && state.reason === reason,
  )
const refusedAs = (sn: string, reason: string) =>
  eventually(
    async () =>
      (await sql`select 1 from refused_connection where sn = ${sn} and reason = ${reason}`.execute(server.db)).rows,
    (rows) => rows.length === 1,
  )

describe('a device that connects', () => {
  it.each([3, 4, 5] as const)('is let in, speaks and is known to be there (version %i)', async (version) => {
    const { device, line } = await online(version)
    await line.publish(protocol.upTopic(device.sn, 'hello'), {
      model: 'T2',
      firmware: '1.2.3',
      addresses: ['10.0.0.9'],
    })
    await line.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.now(), battery: 55, charging: 'charging' })
    expect(await stateOf(device.id)).toMatchObject({ iotStatus: 'online', firmware: '1.2.3', battery: 55 })
    line.goodbye()
    await gone(device.id, 'clean')
  })

  it('may come over a WebSocket on the same port', async () => {
    const device = await newDevice()
    const socket = new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt')
    const line = await connectDevice({ port, ...device, stream: createWebSocketStream(socket) })
    expect(line.code).toBe(0)
    await line.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.now(), battery: 9 })
    expect(await stateOf(device.id)).toMatchObject({ battery: 9 })
    line.vanish()
  })

  it('is any standard client with what activate answered', async () => {
    await sql`insert into activation_code (sn, activation_code, department_id) values ('MOSQ-1', 'mosquitto', ${departmentId})`.execute(
      server.db,
    )
    const { data } = await server.call(activate, { sn: 'MOSQ-1', code: 'mosquitto' })
    const { username, password } = data as { username: string; password: string }
    const who = ['-h', '127.0.0.1', '-p', String(port), '-i', username, '-u', username, '-P', password]
    const say = (message: object, ...more: string[]) =>
      run('mosquitto_pub', [...who, '-q', '1', '-t', 'v1/MOSQ-1/up/state', '-m', JSON.stringify(message), ...more])
    await say({ ts: Date.now(), battery: 71 })
    await say({ ts: Date.now() + 1, battery: 72 }, '-V', '5')
    await say({ ts: Date.now() + 2, cpu: 5 }, '-q', '2')
    const { rows } = await sql<{ id: number }>`select id from device where sn = 'MOSQ-1'`.execute(server.db)
    expect((await stateOf(rows[0]?.id as number))?.values).toMatchObject({ battery: { v: 72 }, cpu: { v: 5 } })

    const hearing = run('mosquitto_sub', [...who, '-q', '1', '-t', 'v1/MOSQ-1/down/command', '-C', '1', '-W', '20'])
    const command: protocol.CommandMessage = { id: 'c1', name: 'reboot', args: {}, expires: Date.now() + 60_000 }
    await eventually(
      async () => sendTo(server.app.doors.device, 'MOSQ-1', command),
      (sent) => sent,
    )
    expect(JSON.parse((await hearing).stdout)).toEqual(command)
  })
})

describe('who is not let in', () => {
  it.each([
    ['a wrong password', { password: 'wrong' }, 5, 'wrongPassword'],
    ['the name of another', { packet: { username: 'UNIT-1' } }, 4, 'userName'],
    ['no password', { packet: { password: undefined } }, 4, 'userName'],
    ['a will on a foreign topic', { packet: { will: { topic: 'v1/UNIT-1/up/bye', payload: '' } } }, 5, 'will'],
    ['a will that is a command', { packet: { will: { topic: 'v1/SN/down/command', payload: '' } } }, 5, 'will'],
  ])('%s', async (_, more, code, reason) => {
    const device = await newDevice()
    const line = await connectDevice({ port, ...device, ...(more as object) })
    expect(line.code).toBe(code)
    await line.until(line.isClosed)
    await refusedAs(device.sn, reason)
    expect(await stateOf(device.id)).toMatchObject({ iotStatus: 'offline', reason: null })
  })

  it('a retained will', async () => {
    const device = await newDevice()
    const will = {
      topic: protocol.upTopic(device.sn, 'bye'),
      payload: Buffer.from('{}'),
      retain: true,
      qos: 0 as const,
    }
    expect((await connectDevice({ port, ...device, packet: { will } })).code).toBe(5)
    await refusedAs(device.sn, 'will')
  })

  it.each(['#', '+', 'a/b', '$SYS', 'a b', '', 'x'.repeat(65), 'nul\u0000'])('client id %j', async (sn) => {
    const line = await connectDevice({ port, sn, password: 'x', packet: { clean: true } })
    expect(line.code === 2 || line.code === undefined).toBe(true)
    await line.until(line.isClosed)
  })

  it('an unknown serial number, told apart only for the operator', async () => {
    expect((await connectDevice({ port, sn: 'NOBODY', password: 'x' })).code).toBe(5)
    expect((await connectDevice({ port, sn: 'NOBODY', password: 'x', version: 5 })).code).toBe(0x87)
    await refusedAs('NOBODY', 'unknownDevice')
  })

  it('a device without a licence where its organisation wants one', async () => {
    const strict = await addDepartment(server.db, { name: 'Strict', parentId: departmentId })
    await sql`update department set licence_required = true where id = ${strict}`.execute(server.db)
    const device = await addDevice(server.db, { sn: 'LICENCE-1', departmentId: strict })
    expect((await connectDevice({ port, ...device })).code).toBe(5)
    await refusedAs(device.sn, 'licence')
    await sql`insert into licence (kind, device_id, start_date, expiry)
      values ('iot', ${device.id}, current_date, current_date)`.execute(server.db)
    expect((await connectDevice({ port, ...device })).code).toBe(0)
  })

  it('bytes that are no MQTT', async () => {
    const device = await newDevice()
    for (const bytes of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.alloc(4096, 0xff),
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]),
      Buffer.from([0x10, 0x02, 0x00, 0x09]),
      Buffer.from([0x30, 0x00]),
    ]) {
      const { createConnection } = await import('node:net')
      const socket = createConnection(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(bytes)
      await new Promise((resolve) => socket.resume().once('close', resolve))
    }
    expect((await connectDevice({ port, ...device })).code).toBe(0)
  })
})

describe('what a device may not say', () => {
  it.each([
    ['on the topic of another', (_: string) => 'v1/UNIT-1/up/state', {}, 'topic'],
    ['a command', (sn: string) => `v1/${sn}/down/command`, {}, 'topic'],
    ['an unknown kind', (sn: string) => `v1/${sn}/up/secret`, {}, 'unknownTopic'],
    ['below a kind', (sn: string) => `v1/${sn}/up/state/deep`, {}, 'unknownTopic'],
    ['to the broker', () => '$SYS/broker', {}, 'topic'],
    ['to a shared topic', (sn: string) => `$share/g/v1/${sn}/up/state`, {}, 'topic'],
    ['retained', (sn: string) => `v1/${sn}/up/state`, { retain: true }, 'retained'],
  ])('%s', async (_, topic, options, reason) => {
    const { device, line } = await online()
    void line.publish(topic(device.sn), { ts: Date.now(), battery: 1 }, options).catch(() => undefined)
    await line.until(line.isClosed)
    await refusedAs(device.sn, reason)
    await gone(device.id, 'refused')
    expect((await stateOf(device.id))?.values).toEqual({})
  })

  it('more than 64 KiB: acknowledged so that it is not repeated, but not stored', async () => {
    const { device, line } = await online(5)
    const topic = protocol.upTopic(device.sn, 'event')
    expect(await line.publish(topic, Buffer.alloc(70_000, 0x20))).toMatchObject({ reasonCode: 0x99 })
    await refusedAs(device.sn, 'tooLarge')
    line.vanish()
  })

  it('several times as much', async () => {
    const { device, line } = await online(5)
    void line.publish(protocol.upTopic(device.sn, 'event'), Buffer.alloc(300_000, 0x20)).catch(() => undefined)
    await line.until(line.isClosed)
    await refusedAs(device.sn, 'tooLarge')
  })

  it.each([
    ['no JSON', 'malformed', '{"ts":'],
    ['not UTF-8', 'malformed', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['binary', 'malformed', Buffer.from([0, 1, 2, 3])],
    ['too deep', 'malformed', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
    ['a wrong value', 'invalidValue', { ts: 1, battery: 101 }],
    ['a number without end', 'invalidValue', '{"mobileUp":1e308}'],
    ['a counter beyond what is kept', 'invalidValue', { mobileUp: protocol.counterMax + 1 }],
  ])('%s: acknowledged so that it is not repeated, but not stored', async (_, reason, body) => {
    const { device, line } = await online(5)
    const ack = await line.publish(protocol.upTopic(device.sn, 'state'), body as never)
    expect(ack).toMatchObject({ reasonCode: 0x99 })
    await refusedAs(device.sn, reason)
    expect((await stateOf(device.id))?.values).toEqual({})
    line.vanish()
  })

  it('what is older than points are kept', async () => {
    const { device, line } = await online(5)
    const ts = Date.now() - (protocol.pointDays + 1) * 86_400_000
    const ack = await line.publish(protocol.upTopic(device.sn, 'state'), { ts, battery: 50 })
    expect(ack).toMatchObject({ reasonCode: 0x99 })
    await refusedAs(device.sn, 'tooOld')
    expect((await stateOf(device.id))?.values).toEqual({})
    line.vanish()
  })

  it('what lies in the future', async () => {
    const { device, line } = await online()
    await line.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.UTC(2099, 0), battery: 50 })
    await refusedAs(device.sn, 'clockAhead')
    expect((await stateOf(device.id))?.values).toEqual({})
    line.vanish()
  })

  it('with control characters: they are left out', async () => {
    const { device, line } = await online()
    await line.publish(protocol.upTopic(device.sn, 'state'), {
      ts: Date.now(),
      ssid: 'a\u0000b\u001b[31m\u202Ec',
      networkType: 'wifi',
    })
    expect((await stateOf(device.id))?.values).toMatchObject({ ssid: { v: 'ab[31mc' }, networkType: { v: 'wifi' } })
    line.vanish()
  })
})

describe('what a device may hear', () => {
  it.each([
    'v1/UNIT-1/down/command',
    'v1/+/down/command',
    'v1/#',
    '#',
    '+/+/+/+',
    '$SYS/#',
    '$share/all/v1/UNIT-1/down/command',
    'v1/UNIT-1/up/state',
  ])('not %s', async (topic) => {
    const { device, line } = await online()
    expect(await line.subscribe(topic)).toBe(0x80)
    expect(sendTo(server.app.doors.device, device.sn, { id: '1', name: 'reboot', args: {}, expires: 0 })).toBe(false)
    line.vanish()
  })

  it('its own commands, once it listens; replies come back before they are acknowledged', async () => {
    const { device, line } = await online(5)
    const heard: string[] = []
    server.app.doors.device.onConnected((sn) => heard.push(sn))
    const command: protocol.CommandMessage = {
      id: 'c7',
      name: 'message',
      args: { text: 'hi' },
      expires: Date.now() + 9_000,
    }
    expect(sendTo(server.app.doors.device, device.sn, command)).toBe(false)
    expect(await line.subscribe(protocol.commandTopic(device.sn))).toBe(1)
    await eventually(
      async () => heard,
      (sns) => sns.includes(device.sn),
    )
    expect(sendTo(server.app.doors.device, device.sn, command)).toBe(true)
    const received = await line.until(() => line.received.find((each) => each.cmd === 'publish'))
    expect(JSON.parse(String((received as { payload: Buffer }).payload))).toEqual(command)
    await line.publish(protocol.upTopic(device.sn, 'reply'), { id: 'c7', state: 'done' })
    expect(replies).toContainEqual({ deviceId: device.id, sn: device.sn, reply: { id: 'c7', state: 'done' } })
    line.vanish()
  })
})

describe('presence', () => {
  it('knows a pulled plug, with the will and without', async () => {
    const { device, line } = await online()
    line.vanish()
    await gone(device.id, 'lost')
    const willing = await newDevice()
    const will = {
      topic: protocol.upTopic(willing.sn, 'bye'),
      payload: Buffer.from('{"reason":"power"}'),
      qos: 1 as const,
      retain: false,
    }
    const other = await connectDevice({ port, ...willing, packet: { will } })
    await eventually(
      () => stateOf(willing.id),
      (state) => state?.iotStatus === 'online',
    )
    other.vanish()
    await gone(willing.id, 'will')
    const { rows } =
      await sql`select online, reason, detail from presence_log where device_id = ${willing.id} order by time`.execute(
        server.db,
      )
    expect(rows).toEqual([
      { online: true, reason: null, detail: null },
      { online: false, reason: 'will', detail: 'power' },
    ])
  })

  it('knows one that has fallen silent', async () => {
    const device = await newDevice()
    const line = await connectDevice({ port, ...device, packet: { keepalive: 1 } })
    await gone(device.id, 'keepalive')
    await line.until(line.isClosed)
  })

  it('gives the line to the newer connection and tells the older one', async () => {
    const { device, line } = await online(5)
    const newer = await connectDevice({ port, ...device })
    expect(newer.code).toBe(0)
    expect(await line.until(() => line.received.find((each) => each.cmd === 'disconnect'))).toMatchObject({
      reasonCode: 0x8e,
    })
    await newer.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.now(), battery: 3 })
    expect(await stateOf(device.id)).toMatchObject({ iotStatus: 'online', reason: 'takeover' })
    newer.vanish()
  })

  it('calls it flapping when it drops out again and again, but not when it says goodbye', async () => {
    const device = await newDevice()
    const status = (wanted: string) =>
      eventually(
        () => stateOf(device.id),
        (state) => state?.iotStatus === wanted,
      )
    for (let round = 0; round < 3; round += 1) {
      const line = await connectDevice({ port, ...device })
      await status('online')
      line.goodbye()
      await status('offline')
    }
    for (let round = 0; round < 2; round += 1) {
      const line = await connectDevice({ port, ...device })
      await status('online')
      line.vanish()
      await eventually(
        () => stateOf(device.id),
        (state) => state?.iotStatus !== 'online',
      )
    }
    await connectDevice({ port, ...device })
    await status('flapping')
  })

  it('ends at once when the credential is revoked or the device is deleted or moved', async () => {
    for (const change of [
      (id: number) =>
        sql`update device set credential_hash = null, credential_version = credential_version + 1 where id = ${id}`,
      (id: number) => sql`delete from device where id = ${id}`,
    ]) {
      const { device, line } = await online(5)
      // Written already: whoever deletes a row by hand does not take the way that keeps clear of what devices say.
      await eventually(
        () => stateOf(device.id),
        (state) => state?.iotStatus === 'online',
      )
      await change(device.id).execute(server.db)
      expect(await line.until(() => line.received.find((each) => each.cmd === 'disconnect'))).toMatchObject({
        reasonCode: 0x98,
      })
      expect((await connectDevice({ port, ...device })).code).toBe(5)
    }
  })
})

it('shows how busy it is', async () => {
  const response = await server.app.inject('/metrics')
  expect(response.body).toMatch(/campanile_devices_connected \d/)
  expect(response.body).toMatch(/campanile_device_headroom_ratio [01]/)
  expect(response.body).toMatch(/campanile_device_messages_dropped_total\{reason="malformed"\} \d/)
})
