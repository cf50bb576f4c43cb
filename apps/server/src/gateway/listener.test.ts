import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWebSocketStream, WebSocket } from 'ws'
import { connectDevice } from '../test/mqtt.ts'
import { createBroker } from './broker.ts'
import type { DoorLimits } from './doors.ts'
import { createListener } from './listener.ts'
import type { RefusedAttempt, ToServer } from './wire.ts'

/** Short for a test; where honest devices must make it, they get longer. */
const patienceMs = 400
const honestMs = 3_000
const folder = mkdtempSync(join(tmpdir(), 'campanile-doors-'))
let tls: { cert: string; key: string }
const undo: (() => void)[] = []

beforeAll(() => {
  const [cert, key] = [join(folder, 'crt'), join(folder, 'key')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
  execFileSync('openssl', [...made, '-out', cert, '-keyout', key], { stdio: 'ignore' })
  tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
})
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A gateway whose server lets everybody in, save while it is away. */
const start = async (limits: Partial<DoorLimits> = {}) => {
  const refusals: RefusedAttempt[] = []
  let isAway = false
  let asked = 0
  const broker = createBroker((message: ToServer) => {
    if (message.say === 'refused') refusals.push(...message.refusals)
    if (message.say === 'admit') asked += 1
    if (message.say === 'admit' && !isAway)
      setImmediate(() => broker.hear({ say: 'admitted', id: message.id, deviceId: message.id, grant: '1' }))
  })
  const listener = createListener({ host: '127.0.0.1', port: 0, tls }, broker, { patienceMs, ...limits })
  const port = await listener.start()
  undo.push(() => {
    broker.stop()
    listener.stop()
  })
  return {
    port,
    broker,
    listener,
    /** How many the server was asked about. */
    asked: () => asked,
    goAway: () => {
      isAway = true
    },
    reasons: () => {
      broker.tellRefusals()
      return refusals.map(({ reason }) => reason)
    },
  }
}
const knock = (port: number, bytes: Buffer | string = '') => {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let isClosed = false
  socket.on('error', () => undefined)
  socket.resume().on('close', () => {
    isClosed = true
  })
  undo.push(() => socket.destroy())
  return { socket, isClosed: () => isClosed }
}
const upgrade = 'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
const key =
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n'
/** Half of a CONNECT: its length promises more. */
const half = Buffer.from([0x10, 60, 0, 4, ...Buffer.from('MQTT'), 4, 0xc2])
const secure = (port: number, then: (socket: Socket) => void) => {
  const inner = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => then(inner))
  let isClosed = false
  inner.on('error', () => undefined)
  inner.resume().on('close', () => {
    isClosed = true
  })
  undo.push(() => inner.destroy())
  return { isClosed: () => isClosed }
}
const drip = (port: number, bytes: Buffer) => {
  const held = knock(port)
  let at = 0
  const timer = setInterval(() => held.socket.write(bytes.subarray(at, ++at)), patienceMs / 10)
  undo.push(() => clearInterval(timer))
  return held
}

describe('nobody holds the line without saying who it is', () => {
  it.each<[string, (port: number) => { isClosed(): boolean }]>([
    ['no byte at all', (port) => knock(port)],
    ['the first byte of a request', (port) => knock(port, 'G')],
    ['half a request', (port) => knock(port, upgrade)],
    ['a WebSocket without a CONNECT', (port) => knock(port, upgrade + key)],
    ['the first byte of a TLS handshake', (port) => knock(port, Buffer.from([0x16]))],
    ['half a TLS handshake', (port) => knock(port, Buffer.from([0x16, 3, 1, 2, 0, 1, 0]))],
    ['TLS without a word', (port) => secure(port, () => undefined)],
    ['TLS and half a CONNECT', (port) => secure(port, (socket) => socket.write(half))],
    ['TLS and the first byte of a request', (port) => secure(port, (socket) => socket.write('G'))],
    ['TLS and a WebSocket without a CONNECT', (port) => secure(port, (socket) => socket.write(upgrade + key))],
    ['half a CONNECT', (port) => knock(port, half)],
    ['a CONNECT byte by byte', (port) => drip(port, half)],
    ['a request byte by byte', (port) => drip(port, Buffer.from(upgrade))],
    [
      'a TLS handshake byte by byte',
      (port) => drip(port, Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0, 0])),
    ],
  ])('%s', async (_, hold) => {
    const { port, listener, reasons } = await start()
    const held = hold(port)
    await expect.poll(held.isClosed, { timeout: 20_000 }).toBe(true)
    expect(listener.unknown).toBe(0)
    expect(reasons()).toEqual(['tooSlow'])
  })

  it.each([
    ['another path', '/other', 'mqtt'],
    ['another protocol', '/mqtt', 'chat'],
    ['no protocol', '/mqtt', undefined],
  ])('not a WebSocket for %s', async (_what, path, protocol) => {
    const { port } = await start()
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol)
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('open', () => resolve('open'))
      socket.on('error', () => undefined)
    })
    expect(status).toBe(400)
  })

  it('and who has said it may stay', async () => {
    const { port, listener, broker } = await start({ patienceMs: honestMs })
    const web = createWebSocketStream(new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt'))
    const encrypted = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    const wss = new WebSocket(`wss://127.0.0.1:${port}/mqtt`, 'mqtt', { rejectUnauthorized: false })
    const lines = await Promise.all(
      [undefined, web, encrypted, createWebSocketStream(wss)].map((stream, at) =>
        connectDevice({ port, sn: `STAYS-${at}`, password: 'x', ...(stream && { stream }) }),
      ),
    )
    undo.push(() => lines.forEach((each) => void each.vanish()))
    await sleep(honestMs + 1_000)
    expect(lines.map(({ code, isClosed }) => [code, isClosed()])).toEqual(lines.map(() => [0, false]))
    expect(listener.unknown).toBe(0)
    expect(broker.connected).toBe(4)
  })
})

describe('too many that have not said who they are', () => {
  const hold = async (listener: { unknown: number }, port: number, count: number, bytes: Buffer | string) => {
    const held = Array.from({ length: count }, () => knock(port, bytes))
    await expect.poll(() => held.filter(({ socket }) => socket.readyState === 'opening').length).toBe(0)
    await expect.poll(() => listener.unknown).toBeGreaterThan(0)
    return held
  }

  it.each(['', 'G', '\x16'])('of one address make room for each other and for a device (%j)', async (bytes) => {
    const { port, listener, reasons } = await start({ patienceMs: 60_000, perAddress: 50 })
    const held = await hold(listener, port, 200, bytes)
    await expect.poll(() => held.filter(({ isClosed }) => isClosed()).length).toBe(150)
    expect(listener.unknown).toBe(50)
    const line = await connectDevice({ port, sn: 'HONEST', password: 'x' })
    expect(line.code).toBe(0)
    line.vanish()
    expect(new Set(reasons())).toEqual(new Set(['tooManyConnections']))
  })

  it('of all addresses together as well', async () => {
    const { port, listener } = await start({ patienceMs: 60_000, perAddress: 1_000, inAll: 50 })
    const held = await hold(listener, port, 200, 'G')
    await expect.poll(() => held.filter(({ isClosed }) => isClosed()).length).toBe(150)
    const line = await connectDevice({ port, sn: 'HONEST', password: 'x' })
    expect(line.code).toBe(0)
    line.vanish()
  })

  it('are counted until they are let in, and none that waits for the server has to go', async () => {
    const { port, asked, goAway } = await start({ patienceMs: 60_000, perAddress: 20 })
    goAway()
    const waiting = Array.from({ length: 20 }, (_, at) => {
      const line = knock(port)
      void connectDevice({ port, sn: `WAITS-${at}`, password: 'x', stream: line.socket }).catch(() => undefined)
      return line
    })
    // Only who has said who it is waits for the server; who has not makes room.
    await expect.poll(asked, { timeout: 20_000 }).toBe(20)
    const late = knock(port, 'G')
    await expect.poll(late.isClosed).toBe(true)
    expect(waiting.filter(({ isClosed }) => isClosed())).toEqual([])
  })

  it('bytes of somebody unknown are too many, too', async () => {
    const { port, reasons } = await start({ patienceMs: 60_000, bytes: 16 * 1024 })
    const frame = Buffer.concat([
      Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 1, 0xf0, 0, 1, 2, 3, 4]),
      Buffer.alloc(60_000),
    ])
    const held = knock(port, Buffer.concat([Buffer.from(upgrade + key), frame]))
    await expect.poll(held.isClosed).toBe(true)
    expect(reasons()).toEqual(['tooLarge'])
  })
})
