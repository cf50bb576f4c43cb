import { z } from 'zod'

/** What a device speaks: topics below its own serial number, JSON in UTF-8. docs/device-protocol.md tells it to strangers. */
export const messageMaxBytes = 64 * 1024
/** Where devices speak HTTP: whoever reads an answer there writes a client. */
export const devicePaths = '/device/'
/** Objects and lists inside one another, the message itself included. */
export const depthMax = 8
/** Names of values in a message, in all its objects together; a hello tells of 500 programs, and so may an answer. */
export const namesMax = { hello: 2_100, state: 1_000, event: 1_000, reply: 2_100 } as const
/** A clock may run ahead a little. What claims to be further ahead would stay the newest for ever. */
export const clockAheadMs = 10 * 60_000
/** How long single points are kept. A report that is older would be drawn today and dropped tomorrow, so it is refused. */
export const pointDays = 62
/** What happened before was told by a clock that nobody has set: the time of receipt is taken. */
export const tsSet = Date.UTC(2000, 0, 1)
/** The last millisecond of the year 9999: a year of five digits is no date to the database. */
export const tsMax = 253_402_300_799_999
/** 40 TB. History keeps hundredths as whole numbers and twice the difference of two, which must stay below 2^53. */
export const counterMax = 40e12
/** Numbers in free objects. Larger ones have hundreds of digits once they are stored; smaller ones than the second are 0. */
export const numberMax = 1e21
export const numberMin = 1e-30
export const nameMax = 128
/** What `data` of one event may have, as JSON. */
export const eventDataMaxBytes = 16 * 1024
/** Events of one day, as they came: of one device, and of all devices of one enterprise. More are refused until the next. */
export const eventBytesPerDay = { device: 32 * 1024 * 1024, enterprise: 512 * 1024 * 1024 } as const
/** What is kept of one device's events; the oldest go first. */
export const eventBytesKept = 64 * 1024 * 1024
/** A value of the device's own has a name that the list below does not have. Other names, and other kinds of value, are passed over. */
export const ownName = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
export const ownTextMax = 256
export const ownNumberMax = 1e15
/** Names of one device, and of all devices of one enterprise; more are passed over. */
export const ownPerDevice = 50
export const ownPerOrganisation = 500
/** The quality of service with which commands go to devices. 2 is not spoken: an id makes a command one, however often it comes. */
export const commandQos = [0, 1] as const
export type CommandQos = (typeof commandQos)[number]
export const commandQosDefault: CommandQos = 1
export const upKinds = ['hello', 'state', 'event', 'reply', 'bye'] as const
export type UpKind = (typeof upKinds)[number]
export const upPrefix = (sn: string) => `v1/${sn}/up/`
export const upTopic = (sn: string, kind: UpKind) => `${upPrefix(sn)}${kind}`
export const commandTopic = (sn: string) => `v1/${sn}/down/command`

/** Counters of what one app has sent and received, by network; `up` and `down` where the device cannot tell which. */
export const appCounters = ['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown', 'up', 'down'] as const
export type AppCounter = (typeof appCounters)[number]
/** Of one app: since when it is counted, in milliseconds since 1970, and the counters that are known. */
export type AppCounts = { since: number } & { [K in AppCounter]?: number }
/** Apps of one report, and of all that are counted for one device; more are passed over. */
export const appsAtOnce = 200
export const appsCounted = 2_000

export const bytesOf = (text: string) => new TextEncoder().encode(text).length

const short = z.string().max(128)
/** Milliseconds since 1970 by the device's clock. */
const ts = z.number().int().min(0).max(tsMax)
/** Of a counter that only grows; one that stands lower than before began anew. */
const counter = z.number().min(0).max(counterMax)

/** Names, depth and numbers of an object that somebody made up, `depth` levels inside its message. */
export const isFree = (value: unknown, depth: number): boolean => {
  if (typeof value === 'number') return Math.abs(value) <= numberMax
  if (typeof value !== 'object' || value === null) return true
  if (depth >= depthMax) return false
  if (Array.isArray(value)) return value.every((each) => isFree(each, depth + 1))
  return Object.entries(value).every(([name, each]) => name.length <= nameMax && isFree(each, depth + 1))
}
/** An object of the device's own making: any names, within bounds of depth and number. It lies one level deep in its message. */
const free = z.record(z.string(), z.unknown()).refine((value) => isFree(value, 1))

export const hello = z.object({
  /** When it was sent: tells how far the device's clock is off. */
  ts: ts.optional(),
  model: short.optional(),
  type: z.number().int().min(1).max(999).optional(),
  firmware: short.optional(),
  system: short.optional(),
  agent: short.optional(),
  imei: short.optional(),
  imsi: short.optional(),
  keepalive: z.number().int().min(0).max(86_400).optional(),
  addresses: z.array(short).max(32).optional(),
  capabilities: z.array(short).max(200).optional(),
  apps: z
    .array(
      z.object({ package: short, name: short.optional(), version: short.optional(), enabled: z.boolean().optional() }),
    )
    .max(500)
    .optional(),
})
export type Hello = z.infer<typeof hello>

/** Values of a device, all optional: only what changed is sent. Numbers are drawn over time, words only shown. */
export const stateValues = {
  battery: z.number().min(0).max(100),
  charging: z.enum(['unknown', 'charging', 'notCharging']),
  cpu: z.number().min(0).max(100),
  cpuTemperature: z.number().min(-100).max(300),
  memory: z.number().min(0).max(100),
  disk: z.number().min(0).max(100),
  uptime: z.number().min(0).max(1e10),
  signal: z.number().min(-200).max(100),
  voltage: z.number().min(0).max(1000),
  current: z.number().min(-100_000).max(100_000),
  longitude: z.number().min(-180).max(180),
  latitude: z.number().min(-90).max(90),
  locationAccuracy: z.number().min(0).max(1e6),
  networkType: short,
  ssid: short,
  locked: z.boolean(),
  kiosk: z.boolean(),
  robotState: z.enum(['working', 'idle', 'charging', 'breakdown']),
  door: z.enum(['closed', 'open', 'keptOpen']),
  printer: short,
  cash: short,
  mobileUp: counter,
  mobileDown: counter,
  wifiUp: counter,
  wifiDown: counter,
} as const
export type StateName = keyof typeof stateValues
export type StateValues = { -readonly [K in StateName]?: z.infer<(typeof stateValues)[K]> }
/** Without a time it is as of when it was received: for devices that have no clock. */
export const state = z.object({
  ts: ts.optional(),
  ...Object.fromEntries(Object.entries(stateValues).map(([name, schema]) => [name, schema.optional()])),
})
/** Values kept over time; the rest is only the latest word. */
export const telemetryNames = [
  'battery',
  'cpu',
  'cpuTemperature',
  'memory',
  'disk',
  'signal',
  'voltage',
  'current',
  'mobileUp',
  'mobileDown',
  'wifiUp',
  'wifiDown',
] as const
export type TelemetryName = (typeof telemetryNames)[number]
/** Those that only grow, until they begin anew at 0. */
export const trafficCounters = [
  'mobileUp',
  'mobileDown',
  'wifiUp',
  'wifiDown',
] as const satisfies readonly TelemetryName[]

export const event = z.object({
  id: z.string().min(1).max(64),
  /** Left out by a device without a clock: the time of receipt is taken. */
  ts: ts.optional(),
  type: z.string().min(1).max(64),
  level: z.enum(['info', 'minor', 'major', 'critical', 'emergency']).default('info'),
  text: z.string().max(1000).optional(),
  data: free.refine((data) => bytesOf(JSON.stringify(data)) <= eventDataMaxBytes, 'too large').optional(),
})
/** As a device with a clock tells it. */
export type DeviceEvent = z.input<typeof event> & { ts: number }
export const replySteps = ['downloading', 'upgrading'] as const
export type ReplyStep = (typeof replySteps)[number]
export const reply = z.object({
  id: z.string().min(1).max(64),
  state: z.enum(['acknowledged', 'progress', 'done', 'failed']),
  progress: z.number().min(0).max(100).optional(),
  /** Of an update: what is under way. It fetches and checks what it was told to, or changes what it runs. */
  step: z.enum(replySteps).optional(),
  result: free.optional(),
  error: z.string().max(256).optional(),
})
export type Reply = z.infer<typeof reply>
/** However long, its beginning is kept: nobody can be asked again. */
export const bye = z.object({ reason: z.string().optional() })
/** Where a command's file goes: `PUT url` with this header. A path is taken below the server the device has joined. */
export const uploadTokenHeader = 'x-upload-token'
export const command = z.object({
  id: z.string().min(1).max(64),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  expires: ts,
  upload: z.object({ url: z.string().max(1024), token: z.string().max(1024) }).optional(),
})
export type CommandMessage = z.infer<typeof command>
