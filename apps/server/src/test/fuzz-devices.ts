import { connect } from 'node:net'
import { protocol } from '@campanile/contract'
import { generate, type Packet } from 'mqtt-packet'
import { createFrames } from '../gateway/frames.ts'
import { createRandom, type FuzzMessage, fuzzMessage, fuzzPacket } from './fuzz-messages.ts'

export interface FuzzDevice {
  readonly sn: string
  readonly password: string
}
export interface FuzzOutcome {
  sent: number
  stored: number
  refused: number
  /** Messages with nothing wrong between the others, by device: each must be there afterwards. */
  neighbours: Map<string, string[]>
  /** What was told otherwise than it should have been, first few. */
  wrong: string[]
}

const inFlight = 50
const neighbourEvery = 5
const wrongMax = 5
const packetMax = 1024 * 1024

/** A device that speaks without pause, every fifth message in good order, and counts what it is told. */
const speak = (
  { sn, password }: FuzzDevice,
  version: 4 | 5,
  { port, messages, seed }: { port: number; messages: number; seed: number },
  outcome: FuzzOutcome,
) =>
  new Promise<void>((resolve, reject) => {
    const random = createRandom(seed)
    const conn = connect(port, '127.0.0.1')
    const frames = createFrames()
    const unanswered = new Map<number, FuzzMessage & { neighbour?: string }>()
    const mine: string[] = []
    outcome.neighbours.set(sn, mine)
    let said = 0
    const write = (packet: Packet) => conn.write(generate(packet, { protocolVersion: version }))

    const next = (): FuzzMessage & { neighbour?: string } => {
      if (said % neighbourEvery !== 0) return fuzzMessage(random, Date.now())
      const neighbour = `n-${said}`
      const body = { id: neighbour, ts: Date.now(), type: 'neighbour' }
      return { kind: 'event', payload: Buffer.from(JSON.stringify(body)), fate: 'stored', neighbour }
    }
    const pump = () => {
      for (let messageId = 1; messageId <= inFlight && said < messages; messageId += 1) {
        if (unanswered.has(messageId)) continue
        const message = next()
        said += 1
        unanswered.set(messageId, message)
        const { kind, payload } = message
        write({
          cmd: 'publish',
          topic: protocol.upTopic(sn, kind),
          payload,
          qos: 1,
          retain: false,
          dup: false,
          messageId,
        })
      }
      if (unanswered.size > 0) return
      conn.end()
      resolve()
    }
    const answered = (messageId: number, isRefused: boolean) => {
      const message = unanswered.get(messageId)
      unanswered.delete(messageId)
      outcome.sent += 1
      outcome[isRefused ? 'refused' : 'stored'] += 1
      if (message?.neighbour && !isRefused) mine.push(message.neighbour)
      const isWrong = message?.neighbour ? isRefused : message?.fate && (message.fate === 'refused') !== isRefused
      // MQTT 3.1.1 has no word for it.
      if (isWrong && (version === 5 || message?.fate === 'stored') && outcome.wrong.length < wrongMax)
        outcome.wrong.push(`${message?.fate}: ${message?.kind} ${message?.payload.toString().slice(0, 300)}`)
    }
    conn.on('connect', () =>
      write({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: version,
        clientId: sn,
        username: sn,
        password: Buffer.from(password),
        keepalive: 0,
        clean: true,
      }),
    )
    conn.on('data', (chunk: Buffer) => {
      frames.push(chunk)
      for (let frame = frames.next(packetMax); frame; frame = frames.next(packetMax)) {
        const type = (frame[0] as number) >> 4
        if (type === 2 && frame[3] !== 0) return reject(new Error(`${sn} was not let in: ${frame[3]}`))
        if (type === 4) answered(frame.readUInt16BE(2), (frame[4] ?? 0) >= 0x80)
      }
      pump()
    })
    conn.on('error', reject)
    conn.on('close', () => reject(new Error(`${sn} was cut off with ${unanswered.size} unanswered, seed ${seed}`)))
  })

/** One connection after another that begins well and then sends bytes that are no packets. */
const disturb = async ({ sn, password }: FuzzDevice, port: number, connections: number, seed: number) => {
  const random = createRandom(seed)
  for (let count = 0; count < connections; count += 1)
    await new Promise<void>((resolve) => {
      const conn = connect(port, '127.0.0.1')
      if (random.maybe(0.7))
        conn.write(
          generate({
            cmd: 'connect',
            protocolId: 'MQTT',
            protocolVersion: random.one([4, 5]),
            clientId: sn,
            username: sn,
            password: Buffer.from(password),
            keepalive: 0,
            clean: true,
          } as Packet),
        )
      for (let packets = 1 + random.below(5); packets > 0; packets -= 1) conn.write(fuzzPacket(random))
      conn.end()
      conn.on('data', () => undefined)
      conn.on('error', () => undefined)
      conn.on('close', () => resolve())
    })
}

/** From packet to row: devices that say anything, one that sends no packets at all, and what all of them were told. */
export const fuzzGateway = async (
  port: number,
  devices: readonly FuzzDevice[],
  disturber: FuzzDevice,
  { messages, seed }: { messages: number; seed: number },
): Promise<FuzzOutcome> => {
  const outcome: FuzzOutcome = { sent: 0, stored: 0, refused: 0, neighbours: new Map(), wrong: [] }
  const each = Math.ceil(messages / devices.length)
  await Promise.all([
    ...devices.map((device, n) =>
      speak(device, n % 2 === 0 ? 5 : 4, { port, messages: each, seed: seed + n }, outcome),
    ),
    disturb(disturber, port, Math.min(2_000, Math.ceil(messages / 50)), seed),
  ])
  return outcome
}
