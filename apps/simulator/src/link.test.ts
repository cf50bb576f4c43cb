import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Refused } from '@campanile/agent'
import { Aedes, type AedesPublishPacket } from 'aedes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Credential } from './credentials.ts'
import { createFleet } from './fleet.ts'
import { createOpenLink } from './link.ts'
import { profiles } from './profiles.ts'
import { scenarios } from './scenarios/index.ts'
import { createWheel, turnWheel } from './wheel.ts'

let broker: Aedes
let url: string
let close: () => Promise<void>
let seen: AedesPublishPacket[]

beforeEach(async () => {
  broker = await Aedes.createBroker()
  seen = []
  broker.authenticate = (_client, _name, password, done) => {
    const ok = password?.toString() === 'right'
    done(ok ? null : Object.assign(new Error('no'), { returnCode: 5 }), ok)
  }
  broker.on('publish', (packet) => void (packet.topic.startsWith('v1/') && seen.push(packet)))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    broker.handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    await new Promise<void>((resolve) => broker.close(() => resolve()))
  }
})
afterEach(() => close())

const turning = () => {
  const wheel = createWheel(Date.now())
  const halt = turnWheel(wheel)
  return { wheel, halt }
}
const optionsFor = (sn: string, password = 'right') => ({
  url,
  clientId: sn,
  username: sn,
  password,
  keepaliveSeconds: 60,
  subscribe: `v1/${sn}/down/command`,
  will: { topic: `v1/${sn}/up/bye`, payload: '{"reason":"lost"}' },
})
const quiet = { message: () => {}, lost: () => {} }

describe('the light connection', () => {
  it('is acknowledged by a real broker, and hears what is sent to it, in pieces too', async () => {
    const { wheel, halt } = turning()
    const heard: string[] = []
    const message = (payload: Uint8Array) => heard.push(Buffer.from(payload).toString())
    const link = await createOpenLink(wheel)(optionsFor('A'), { message, lost: () => {} })
    await link.publish('v1/A/up/state', '{"ts":1}')
    expect(seen.map(({ topic, payload }) => [topic, payload.toString()])).toEqual([['v1/A/up/state', '{"ts":1}']])
    const large = 'x'.repeat(60_000)
    for (const payload of ['one', large, 'three'])
      broker.publish(
        { cmd: 'publish', topic: 'v1/A/down/command', payload, qos: 1, retain: false, dup: false },
        () => undefined,
      )
    await expect.poll(() => heard).toEqual(['one', large, 'three'])
    await link.close()
    halt()
  })

  it('is told when it is refused', async () => {
    const { wheel, halt } = turning()
    await expect(createOpenLink(wheel)(optionsFor('A', 'wrong'), quiet)).rejects.toBeInstanceOf(Refused)
    halt()
  })

  it('leaves the will when dropped, and none when closed', async () => {
    const { wheel, halt } = turning()
    const open = createOpenLink(wheel)
    await (await open(optionsFor('closed'), quiet)).close()
    const dropped = await open(optionsFor('dropped'), quiet)
    dropped.drop()
    await expect.poll(() => seen.map(({ topic }) => topic)).toEqual(['v1/dropped/up/bye'])
    halt()
  })

  it('fails what was not acknowledged when the broker dies', async () => {
    const { wheel, halt } = turning()
    let reason = ''
    const lost = (why: string) => {
      reason = why
    }
    const link = await createOpenLink(wheel)(optionsFor('A'), { message: () => {}, lost })
    broker.authorizePublish = () => void 0 // never answers
    const failing = expect(link.publish('v1/A/up/state', '{}')).rejects.toThrow()
    await close()
    close = async () => undefined
    await failing
    await expect.poll(() => reason).not.toBe('')
    halt()
  })
})

it('brings a fleet of all types onto a real broker', async () => {
  const types = Object.keys(profiles).map(Number)
  const credentials: Credential[] = Array.from({ length: 200 }, (_, at) => {
    const type = types[at % types.length] ?? 16
    return { sn: `F-${at}`, type, model: undefined, password: 'right', mqttUrl: url, serverUrl: '' }
  })
  const { wheel, halt } = turning()
  const fleet = createFleet({
    credentials,
    scenario: scenarios.load,
    heartbeatSeconds: 60,
    seed: 1,
    timers: wheel,
    open: createOpenLink(wheel),
    log: () => {},
  })
  fleet.start()
  await expect.poll(() => seen.filter(({ topic }) => topic.endsWith('/state')).length).toBe(200)
  expect(fleet.figures()).toEqual({ devices: 200, connected: 200 })
  await fleet.stop()
  halt()
})
