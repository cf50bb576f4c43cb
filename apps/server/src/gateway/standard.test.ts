import { protocol } from '@campanile/contract'
import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { line, waitTurns } from '../test/line.ts'
import { createBroker } from './broker.ts'
import type { ToServer } from './wire.ts'
import { unpackBatch } from './wire-batch.ts'

/** What the standard asks of a server, byte by byte where no library would send it. */
const sn = 'STANDARD'
const own = protocol.commandTopic(sn)
const up = protocol.upTopic(sn, 'state')
let told: ToServer[]
let broker: ReturnType<typeof createBroker>
beforeEach(() => {
  told = []
  broker = createBroker((message) => told.push(message))
})
afterEach(() => broker.stop())

type Version = 3 | 4 | 5
const dial = (version: Version = 5) => {
  const { device, gateway } = line()
  const heard: Packet[] = []
  const bytes: Buffer[] = []
  let isClosed = false
  const reading = parser({ protocolVersion: version })
  reading.on('packet', (packet) => heard.push(packet))
  device.on('data', (chunk: Buffer) => {
    bytes.push(chunk)
    reading.parse(chunk)
  })
  device.on('end', () => {
    isClosed = true
  })
  broker.accept(gateway, '10.0.0.1')
  return {
    heard,
    isClosed: () => isClosed,
    bytes: () => Buffer.concat(bytes),
    write: async (...some: (Buffer | readonly number[])[]) => {
      for (const each of some) device.write(Buffer.from(each))
      await waitTurns()
    },
    send: async (packet: Packet) => {
      device.write(generate(packet, { protocolVersion: version }))
      await waitTurns()
    },
  }
}
const connectPacket = (version: Version, more: Partial<IConnectPacket> = {}) =>
  generate(
    {
      cmd: 'connect',
      protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
      protocolVersion: version,
      clientId: sn,
      username: sn,
      password: Buffer.from('x'),
      keepalive: 60,
      clean: true,
      ...more,
    } as Packet,
    { protocolVersion: version },
  )
const open = async (version: Version = 5, more: Partial<IConnectPacket> = {}) => {
  const device = dial(version)
  await device.write(connectPacket(version, more))
  const asked = told.findLast((each) => each.say === 'admit')
  broker.hear({ say: 'admitted', id: asked?.id ?? 0, deviceId: 7, grant: '1' })
  await waitTurns()
  expect(device.heard).toMatchObject([{ cmd: 'connack' }])
  device.heard.length = 0
  return device
}
/** A packet from its parts; the length is worked out. */
const packet = (first: number, ...parts: (readonly number[] | string)[]) => {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'string') return Buffer.from(part)
      const length = Buffer.byteLength(part)
      return Buffer.concat([Buffer.from([length >> 8, length & 0xff]), Buffer.from(part)])
    }),
  )
  if (body.length > 127) throw new Error('too long for this helper')
  return Buffer.concat([Buffer.from([first, body.length]), body])
}
/** CONNECT of MQTT 5 with these properties. */
const connectFive = (properties: readonly number[], flags = 0xc2) =>
  packet(0x10, 'MQTT', [5, flags, 0, 60, properties.length, ...properties], sn, sn, 'x')
const userProperty = [0x26, 0, 1, 97, 0, 1, 98]

describe('an unknown protocol level is told so in the words of its time', () => {
  it.each([
    [0, [0x20, 2, 0, 0x01]],
    [2, [0x20, 2, 0, 0x01]],
    [3, [0x20, 2, 0, 0x01]],
    [6, [0x20, 3, 0, 0x84, 0]],
    [0x84, [0x20, 3, 0, 0x84, 0]],
    [255, [0x20, 3, 0, 0x84, 0]],
  ])('level %i of MQTT', async (level, answer) => {
    const device = dial()
    await device.write(packet(0x10, 'MQTT', [level, 2, 0, 60], sn))
    expect([...device.bytes()]).toEqual(answer)
    expect(device.isClosed()).toBe(true)
  })

  it('a level of MQIsdp that never was', async () => {
    const device = dial(4)
    await device.write(packet(0x10, 'MQIsdp', [4, 2, 0, 60], sn))
    expect([...device.bytes()]).toEqual([0x20, 2, 0, 0x01])
  })

  it('another protocol is cut off without a word', async () => {
    const device = dial(4)
    await device.write(packet(0x10, 'AMQP', [4, 2, 0, 60], sn))
    expect(device.bytes()).toHaveLength(0)
    expect(device.isClosed()).toBe(true)
  })
})

describe('CONNECT of MQTT 5', () => {
  it.each([
    ['a receive maximum of nothing', [0x21, 0, 0], 0x82],
    ['a maximum packet size of nothing', [0x27, 0, 0, 0, 0], 0x82],
    ['a property twice', [0x21, 0, 5, 0x21, 0, 5], 0x82],
    ['a property twice, the first of them zero', [0x11, 0, 0, 0, 0, 0x11, 0, 0, 0, 9], 0x82],
    ['a property of another packet', [0x23, 0, 1], 0x82],
    ['a yes or no that is neither', [0x17, 2], 0x82],
    ['properties that end too early', [0x21, 0], 0x81],
    ['an authentication method', [0x15, 0, 1, 97], 0x8c],
  ])('with %s', async (_, properties, code) => {
    const device = dial()
    await device.write(connectFive(properties))
    expect(device.heard).toMatchObject([{ cmd: 'connack', reasonCode: code }])
    expect(device.isClosed()).toBe(true)
    expect(told.filter(({ say }) => say === 'admit')).toEqual([])
  })

  it('may have properties of its own as often as it likes', async () => {
    const device = dial()
    await device.write(connectFive([...userProperty, ...userProperty, 0x21, 0, 5]))
    expect(told.filter(({ say }) => say === 'admit')).toHaveLength(1)
    expect(device.isClosed()).toBe(false)
  })

  it('with a will of QoS 3', async () => {
    const device = dial()
    const will = `v1/${sn}/up/bye`
    await device.write(packet(0x10, 'MQTT', [5, 0xde, 0, 60, 0], sn, [0], will, '{}', sn, 'x'))
    expect(device.heard).toMatchObject([{ cmd: 'connack', reasonCode: 0x81 }])
  })

  it('with the reserved flag', async () => {
    const device = dial()
    await device.write(connectFive([], 0xc3))
    expect(device.heard).toMatchObject([{ cmd: 'connack', reasonCode: 0x81 }])
    const older = dial(4)
    await older.write(packet(0x10, 'MQTT', [4, 0xc3, 0, 60], sn, sn, 'x'))
    expect(older.bytes()).toHaveLength(0)
    expect(older.isClosed()).toBe(true)
  })
})

it.each([3, 4, 5] as const)('a second CONNECT ends the connection (version %i)', async (version) => {
  const device = await open(version)
  await device.write(connectPacket(version))
  expect(device.heard).toMatchObject(version === 5 ? [{ cmd: 'disconnect', reasonCode: 0x82 }] : [])
  expect(device.isClosed()).toBe(true)
})

it('anything before CONNECT is cut off without a word', async () => {
  const device = dial()
  await device.write([0xc0, 0])
  expect(device.bytes()).toHaveLength(0)
  expect(device.isClosed()).toBe(true)
})

describe('what ends the connection of an open session', () => {
  const publish = (first: number, id: readonly number[], properties: readonly number[]) =>
    packet(first, up, id, [properties.length, ...properties], [0x7b, 0x7d])
  const subscribe = (id: readonly number[], properties: readonly number[], topic: string, options = 1) =>
    packet(0x82, id, [properties.length, ...properties], topic, [options])
  it.each([
    ['a topic alias, as we take none', publish(0x32, [0, 1], [0x23, 0, 1]), 0x94],
    ['a topic alias without a topic', packet(0x30, '', [3, 0x23, 0, 1], [0x7b, 0x7d]), 0x94],
    ['PUBLISH with packet id 0', publish(0x32, [0, 0], []), 0x82],
    ['PUBLISH of QoS 2 with packet id 0', publish(0x34, [0, 0], []), 0x82],
    ['PUBLISH of QoS 3', publish(0x36, [0, 1], []), 0x81],
    ['PUBLISH of QoS 0 sent again', publish(0x38, [], []), 0x81],
    ['PUBLISH with a property twice', publish(0x32, [0, 1], [0x01, 0, 0x01, 1]), 0x82],
    ['PUBLISH with a subscription identifier', publish(0x32, [0, 1], [0x0b, 1]), 0x82],
    ['SUBSCRIBE with packet id 0', subscribe([0, 0], [], own), 0x82],
    ['SUBSCRIBE to nothing', packet(0x82, [0, 1, 0]), 0x82],
    ['SUBSCRIBE with an identifier', subscribe([0, 1], [0x0b, 1], own), 0xa1],
    ['SUBSCRIBE with reserved options', subscribe([0, 1], [], own, 0xc1), 0x81],
    [
      'SUBSCRIBE with reserved flags',
      Buffer.concat([Buffer.from([0x80]), subscribe([0, 1], [], own).subarray(1)]),
      0x81,
    ],
    ['SUBSCRIBE with a wildcard', subscribe([0, 1], [], `v1/${sn}/#`), 0xa2],
    ['SUBSCRIBE with a single-level wildcard', subscribe([0, 1], [], 'v1/+/down/command'), 0xa2],
    ['a shared subscription', subscribe([0, 1], [], `$share/all/${own}`), 0x9e],
    ['UNSUBSCRIBE from nothing', packet(0xa2, [0, 1, 0]), 0x82],
    ['UNSUBSCRIBE with packet id 0', packet(0xa2, [0, 0, 0], own), 0x82],
    ['PUBREL with reserved flags', Buffer.from([0x60, 2, 0, 1]), 0x81],
    ['PUBREL with packet id 0', Buffer.from([0x62, 2, 0, 0]), 0x82],
    ['PUBACK with packet id 0', Buffer.from([0x40, 2, 0, 0]), 0x82],
    ['PINGREQ with reserved flags', Buffer.from([0xc1, 0]), 0x81],
    ['a packet only servers send', Buffer.from([0x90, 4, 0, 1, 0, 0]), 0x82],
    ['a packet that does not exist', Buffer.from([0x00, 0]), 0x81],
    ['AUTH that nobody asked for', Buffer.from([0xf0, 2, 0x18, 0]), 0x82],
    ['DISCONNECT with a property of the server', Buffer.from([0xe0, 6, 0, 4, 0x1c, 0, 1, 97]), 0x82],
  ])('%s', async (_, bytes, code) => {
    const device = await open()
    await device.write(bytes)
    expect(device.heard).toMatchObject([{ cmd: 'disconnect', reasonCode: code }])
    expect(device.isClosed()).toBe(true)
  })

  it.each([
    ['PUBLISH with packet id 0', packet(0x32, up, [0, 0], [0x7b, 0x7d])],
    ['SUBSCRIBE with packet id 0', packet(0x82, [0, 0], own, [1])],
    ['SUBSCRIBE with reserved flags', packet(0x80, [0, 1], own, [1])],
    ['SUBSCRIBE with reserved options', packet(0x82, [0, 1], own, [5])],
    ['PUBREL with reserved flags', Buffer.from([0x60, 2, 0, 1])],
  ])('%s (3.1.1, which has no word for it)', async (_, bytes) => {
    const device = await open(4)
    await device.write(bytes)
    expect(device.heard).toEqual([])
    expect(device.isClosed()).toBe(true)
  })
})

it('what may be said is still said: properties, QoS 2, PUBACK with a reason', async () => {
  const device = await open()
  await device.write(
    packet(0x32, up, [0, 1], [2 + userProperty.length, 0x01, 1, ...userProperty], [0x7b, 0x7d]),
    packet(0x34, up, [0, 2], [0], [0x7b, 0x7d]),
    Buffer.from([0x62, 2, 0, 2]),
    Buffer.from([0x40, 4, 0, 9, 0x10, 0]),
    Buffer.from([0x40, 3, 0, 9, 0x10]),
  )
  await expect.poll(() => told.filter(({ say }) => say === 'batch').length).toBe(1)
  const batch = told.find((each) => each.say === 'batch')
  broker.hear({ say: 'stored', id: batch?.id ?? 0, faulty: [] })
  await waitTurns()
  expect(device.isClosed()).toBe(false)
  expect(device.heard).toMatchObject([
    { cmd: 'pubcomp', messageId: 2 },
    { cmd: 'puback', messageId: 1 },
    { cmd: 'pubrec', messageId: 2 },
  ])
})

describe('a device that takes little', () => {
  const message = { id: 'c-1', name: 'message', expires: 0 }
  const send = (args: object) => {
    const head = JSON.stringify(message).slice(0, -1)
    broker.hear({ say: 'send', args: JSON.stringify(args), to: [{ sn, head }] })
  }
  const replies = () =>
    told
      .flatMap((each) => (each.say === 'batch' ? unpackBatch(each.happenings) : []))
      .filter(({ what }) => what === 'message')

  it('is sent what fits, and what does not is answered as failed', async () => {
    const device = await open(5, { properties: { maximumPacketSize: 120 } })
    await device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: own, qos: 1 }] })
    send({ text: 'x'.repeat(100) })
    send({ text: 'hi' })
    await waitTurns()
    const [only, ...others] = device.heard.flatMap((each) => (each.cmd === 'publish' ? [String(each.payload)] : []))
    expect(JSON.parse(only ?? '')).toEqual({ ...message, args: { text: 'hi' } })
    expect(others).toEqual([])
    await expect
      .poll(replies)
      .toMatchObject([
        { kind: 'reply', sn, text: JSON.stringify({ id: 'c-1', state: 'failed', error: 'tooLargeForDevice' }) },
      ])
  })

  it('is not let in when it could not even be told so', async () => {
    const device = dial()
    await device.write(connectPacket(5, { properties: { maximumPacketSize: 10 } }))
    const asked = told.find((each) => each.say === 'admit')
    broker.hear({ say: 'admitted', id: asked?.id ?? 0, deviceId: 7, grant: '1' })
    await waitTurns()
    expect(device.heard).toMatchObject([{ cmd: 'connack', reasonCode: 0x95 }])
    expect(device.isClosed()).toBe(true)
    expect(broker.connected).toBe(0)
  })
})
