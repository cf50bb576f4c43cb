import { connect as tcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { protocol } from '@campanile/contract'
import { generate, type IConnackPacket, type IConnectPacket, type Packet, parser } from 'mqtt-packet'
import type { Devices } from '../domains/device/index.ts'

export interface ConnectOptions {
  port: number
  sn: string
  password: string
  version?: 3 | 4 | 5
  packet?: Partial<IConnectPacket>
  stream?: Duplex
}

/** A device down to the bytes, so that it can also do what no library would. */
export const connectDevice = async ({ port, sn, password, version = 4, packet = {}, stream }: ConnectOptions) => {
  const conn = stream ?? tcp(port, '127.0.0.1')
  const received: Packet[] = []
  let closed = false
  const reading = parser({ protocolVersion: version })
  reading.on('packet', (each) => received.push(each))
  conn.on('data', (chunk: Buffer) => reading.parse(chunk))
  conn.on('error', () => undefined)
  conn.on('close', () => {
    closed = true
  })
  let lastId = 0
  const send = (each: Packet) => conn.write(generate(each, { protocolVersion: version }))
  const until = async <T>(find: () => T | undefined | false, ms = 30_000): Promise<T> => {
    for (const end = Date.now() + ms; Date.now() < end; await sleep(5)) {
      const found = find()
      if (found) return found
    }
    throw new Error(`nothing came; received ${JSON.stringify(received)}, closed ${closed}`)
  }
  const answerTo = (cmd: Packet['cmd'], messageId: number) =>
    until(() => received.find((each) => each.cmd === cmd && each.messageId === messageId))
  send({
    cmd: 'connect',
    protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
    protocolVersion: version,
    clientId: sn,
    username: sn,
    password: Buffer.from(password),
    keepalive: 60,
    clean: true,
    ...packet,
  } as Packet)
  const first = await until(() => received.find((each) => each.cmd === 'connack') ?? (closed && 'closed'))
  const connack = first === 'closed' ? undefined : (first as IConnackPacket)
  return {
    /** 0 when let in; undefined when cut off without a word. */
    code: connack?.returnCode ?? connack?.reasonCode,
    conn,
    received,
    send,
    until,
    isClosed: () => closed,
    /** Answers when it was acknowledged. */
    publish: async (topic: string, body: unknown, { qos = 1 as 0 | 1 | 2, retain = false } = {}) => {
      lastId += 1
      const messageId = lastId
      const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      send({ cmd: 'publish', topic, payload, qos, retain, dup: false, ...(qos > 0 ? { messageId } : {}) } as Packet)
      if (qos === 0) return undefined
      const ack = await answerTo(qos === 1 ? 'puback' : 'pubrec', messageId)
      if (qos === 2) {
        send({ cmd: 'pubrel', messageId })
        await answerTo('pubcomp', messageId)
      }
      return ack
    },
    subscribe: async (topic: string, qos: 0 | 1 | 2 = 1) => {
      lastId += 1
      send({ cmd: 'subscribe', messageId: lastId, subscriptions: [{ topic, qos }] })
      const answer = await answerTo('suback', lastId)
      return answer.cmd === 'suback' ? answer.granted[0] : undefined
    },
    goodbye: () => {
      send({ cmd: 'disconnect' } as Packet)
      conn.end()
    },
    /** As a pulled plug. */
    vanish: () => conn.destroy(),
  }
}

export type TestDevice = Awaited<ReturnType<typeof connectDevice>>

/** Waits until something holds; fails with what it last was. */
export const eventually = async <T>(read: () => Promise<T>, holds: (value: T) => boolean, ms = 30_000): Promise<T> => {
  let value = await read()
  for (const end = Date.now() + ms; !holds(value) && Date.now() < end; value = await read()) await sleep(20)
  if (!holds(value)) throw new Error(`still ${JSON.stringify(value)}`)
  return value
}

/** A command past the sender and its table. Answers whether the device listens. */
export const sendTo = (
  { send }: Pick<Devices, 'send'>,
  sn: string,
  { args, ...message }: protocol.CommandMessage,
): boolean => send(JSON.stringify(args), [{ sn, ...message }]).has(sn)
