/**
 * Devices down to the socket, in a process of their own: packets are made once and only their numbers are written anew, so
 * that this side costs as little as it can beside what is measured. Spoken to over IPC; see fleet.ts.
 */
import { connect, type Socket } from 'node:net'
import {
  connectPacket,
  disconnectPacket,
  firstPacket,
  kinds,
  pubackPacket,
  publishPacket,
  subscribePacket,
} from '../apps/simulator/src/packets.ts'
import { type FromFleet, secretOf, serialOf, type ToFleet } from './fleet.ts'

interface Device {
  readonly sn: string
  socket: Socket | undefined
  /** A report whose message id, time and three values are overwritten each time. */
  readonly report: Buffer
  readonly at: { id: number; ts: number; battery: number; cpu: number; memory: number }
  rest: Buffer | undefined
  isOpen: boolean
  sent: number
  acknowledged: number
  sentAt: number
  lastTs: number
  /** Times of what is not acknowledged yet. */
  readonly pending: number[]
  /** Newest time that was acknowledged: the database must know it, or a later one. */
  safeTs: number
  commands: number
}

const devices: Device[] = []
const latencies = new Float64Array(20_000)
let latencyCount = 0
let acknowledged = 0
let wanted = false
let window = 1
let port = 0
let turn = 0

const body = '{"ts":0000000000000,"battery":00.0,"cpu":00.0,"memory":00.0}'
const make = (n: number): Device => {
  const sn = serialOf(n)
  const report = publishPacket(1, `v1/${sn}/up/state`, body.replaceAll('00.0', '10.0'))
  const start = report.length - body.length
  const after = (text: string) => start + body.indexOf(text) + text.length
  const at = {
    id: start - 2,
    ts: after('"ts":'),
    battery: after('"battery":'),
    cpu: after('"cpu":'),
    memory: after('"memory":'),
  }
  return {
    sn,
    socket: undefined,
    report,
    at,
    rest: undefined,
    isOpen: false,
    sent: 0,
    acknowledged: 0,
    sentAt: 0,
    lastTs: 0,
    pending: [],
    safeTs: 0,
    commands: 0,
  }
}

const zero = 48
/** 10.0 to 99.9 */
const writeValue = (to: Buffer, at: number, value: number) => {
  to[at] = zero + 1 + (value % 9)
  to[at + 1] = zero + ((value >> 3) % 10)
  to[at + 3] = zero + ((value >> 5) % 10)
}
const writeTime = (to: Buffer, at: number, time: number) => {
  let rest = time
  for (let digit = 12; digit >= 0; digit -= 1) {
    const next = Math.floor(rest / 10)
    to[at + digit] = zero + (rest - next * 10)
    rest = next
  }
}

const speak = (device: Device, now: number) => {
  const { socket, at } = device
  if (!socket || !device.isOpen) return
  // Bytes that have not left yet must not be written over.
  const report = socket.writableLength > 0 ? Buffer.from(device.report) : device.report
  device.sent += 1
  const id = (device.sent % 60_000) + 1
  report[at.id] = id >> 8
  report[at.id + 1] = id & 255
  device.lastTs = Math.max(now, device.lastTs + 1)
  writeTime(report, at.ts, device.lastTs)
  writeValue(report, at.battery, device.sent)
  writeValue(report, at.cpu, device.sent * 7)
  writeValue(report, at.memory, device.sent * 3)
  device.sentAt = now
  device.pending.push(device.lastTs)
  socket.write(report)
}

const settle = (device: Device, count: number) => {
  device.acknowledged += count
  acknowledged += count
  const now = Date.now()
  latencies[latencyCount++ % latencies.length] = now - device.sentAt
  // Told in the order they were sent.
  device.safeTs = device.pending.splice(0, count).at(-1) ?? device.safeTs
  if (wanted) for (let open = device.sent - device.acknowledged; open < window; open += 1) speak(device, now)
}

const obey = (device: Device, packet: Buffer, qos: number) => {
  const topicBytes = packet.readUInt16BE(0)
  const head = 2 + topicBytes + (qos > 0 ? 2 : 0)
  if (qos > 0) device.socket?.write(pubackPacket(packet.readUInt16BE(2 + topicBytes)))
  const { id } = JSON.parse(packet.subarray(head).toString()) as { id: string }
  device.commands += 1
  device.sent += 1
  device.pending.push(device.safeTs)
  device.socket?.write(
    publishPacket((device.sent % 60_000) + 1, `v1/${device.sn}/up/reply`, JSON.stringify({ id, state: 'done' })),
  )
}

const hear = (device: Device, chunk: Buffer, listens: boolean) => {
  // The common case: nothing but acknowledgements, four bytes each.
  if (!device.rest && device.isOpen && chunk[0] === 0x40 && chunk.length === 4) return settle(device, 1)
  let bytes = device.rest ? Buffer.concat([device.rest, chunk]) : chunk
  for (let packet = firstPacket(bytes); packet; packet = firstPacket(bytes)) {
    if (packet.kind === kinds.connack) {
      if (packet.body[1] === 0) {
        if (listens) device.socket?.write(subscribePacket(1, `v1/${device.sn}/down/command`))
        else device.isOpen = true
      }
    } else if (packet.kind === kinds.suback) device.isOpen = true
    else if (packet.kind === kinds.puback) settle(device, 1)
    else if (packet.kind === kinds.publish) obey(device, packet.body, (packet.flags >> 1) & 3)
    bytes = bytes.subarray(packet.end)
  }
  device.rest = bytes.length > 0 ? Buffer.from(bytes) : undefined
}

interface Manner {
  readonly listens: boolean
  readonly keepalive: number
  readonly returns: boolean
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One try; whether it was let in. Whoever is to return does so by himself once his line is cut. */
const attempt = (device: Device, manner: Manner): Promise<boolean> =>
  new Promise((resolve) => {
    const { sn } = device
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    device.socket = socket
    device.rest = undefined
    device.sent = device.acknowledged = 0
    device.pending.length = 0
    const will = { topic: `v1/${sn}/up/bye`, payload: '{}' }
    const { keepalive: keepaliveSeconds } = manner
    socket.write(connectPacket({ clientId: sn, username: sn, password: secretOf(sn), keepaliveSeconds, will }))
    socket.on('data', (chunk) => {
      hear(device, chunk, manner.listens)
      if (device.isOpen) resolve(true)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      const wasOpen = device.isOpen
      device.isOpen = false
      resolve(false)
      if (wasOpen && manner.returns) void comeBack(device, manner)
    })
  })
const comeBack = async (device: Device, manner: Manner) => {
  do await pause(1_000 * Math.random())
  while (!(await attempt(device, manner)))
}

/** So many at once: more of one address that have not said who they are would be refused. */
const lanes = 500
const dial = async (some: readonly Device[], manner: Manner) => {
  let next = 0
  const lane = async () => {
    for (let device = some[next++]; device; device = some[next++])
      while (!(await attempt(device, manner))) await pause(100)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

const publish = async (seconds: number, rate: number, inFlight: number) => {
  const open = devices.filter((device) => device.isOpen)
  const end = Date.now() + seconds * 1000
  window = inFlight
  wanted = rate === 0
  if (wanted) for (const device of open) for (let n = 0; n < window; n += 1) speak(device, Date.now())
  let owed = 0
  for (let last = performance.now(); Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, wanted ? 100 : 10))
    const now = performance.now()
    owed += ((now - last) / 1000) * rate
    last = now
    const at = Date.now()
    for (; owed >= 1; owed -= 1) {
      const device = open[turn++ % open.length]
      if (device && device.sent - device.acknowledged < window) speak(device, at)
    }
  }
  wanted = false
}

const percentile = (share: number) => {
  const known = latencies.slice(0, Math.min(latencyCount, latencies.length)).sort()
  return known[Math.floor(known.length * share)] ?? 0
}
const tell = (message: FromFleet) => process.send?.(message)
const standing = () => ({
  open: devices.reduce((sum, { isOpen }) => sum + (isOpen ? 1 : 0), 0),
  acknowledged,
  commands: devices.reduce((sum, { commands }) => sum + (commands > 0 ? 1 : 0), 0),
  repeated: devices.reduce((sum, { commands }) => sum + Math.max(0, commands - 1), 0),
  p50: percentile(0.5),
  p99: percentile(0.99),
  cpu: process.cpuUsage().user + process.cpuUsage().system,
})

process.on('message', async (message: ToFleet) => {
  if (message.do === 'connect') {
    port = message.port
    while (devices.length < message.from + message.count) devices.push(make(devices.length + 1))
    await dial(devices.slice(message.from, message.from + message.count), message)
  } else if (message.do === 'publish') {
    latencyCount = 0
    await publish(message.seconds, message.rate, message.inFlight)
  } else if (message.do === 'end') {
    for (const { socket } of devices) socket?.end(disconnectPacket)
    setTimeout(() => process.exit(0), 500)
  }
  const safe = message.do === 'safe' ? devices.map(({ sn, safeTs }) => [sn, safeTs] as const) : undefined
  tell({ ...standing(), ...(safe && { safe }) })
})
