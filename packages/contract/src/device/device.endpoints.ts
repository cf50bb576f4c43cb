import { z } from 'zod'
import { anyObject, defineEndpoint, fileAnswer, idInQuery, moment, rowOf, sheetMaxBytes } from '../kit/index.ts'
import { organisation } from '../organisation/organisation.resource.ts'
import { device, deviceSn, transferAnswer } from './device.resource.ts'
import { deviceProblems, failedSerial } from './facts.ts'
import { deviceGroup } from './group.resource.ts'
import { ownName, type StateName, stateValues, telemetryNames, upKinds } from './protocol.ts'

const ofDevice = { perm: 'device:list:detail', scope: 'organisation' } as const
/** `lost`: the line broke and no will had been left; `flapping`: it comes and goes too often to tell each time. */
export const presenceReasons = [
  'clean',
  'will',
  'lost',
  'keepalive',
  'takeover',
  'kicked',
  'serverRestart',
  'refused',
  'flapping',
] as const

/**
 * Why somebody was not let in or was shown the door, or a message was not kept. `malformed`: no JSON; `invalidValue`: JSON
 * that does not keep to the protocol; `unstorable`: the database will never take it; `harmful`: the server ended again and
 * again while it was handled; `dailyAllowance`: the device, or all of its enterprise, has told so many events that no more
 * are kept today. The last four are tries to activate.
 */
export const refusalReasons = [
  'clientId',
  'userName',
  'unknownDevice',
  'wrongPassword',
  'revoked',
  'licence',
  'will',
  'topic',
  'unknownTopic',
  'retained',
  'subscription',
  'tooLarge',
  'malformed',
  'invalidValue',
  'clockAhead',
  'tooOld',
  'unstorable',
  'harmful',
  'dailyAllowance',
  'protocol',
  'tooManyFailures',
  'tooManyConnections',
  'tooSlow',
  'unavailable',
  'wrongCode',
  'codeUsed',
  'codeExpired',
  'activationLocked',
] as const

const latestValue = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]),
  /** By the device's clock, or with `received` by the server's: the device has none, and this is when the value came in. */
  ts: z.string(),
  received: z.literal(true).exactOptional(),
})
export type LatestValue = z.output<typeof latestValue>

const deviceDetailAnswer = z.object({
  row: rowOf(() => device),
  /** What was refused of it in the last quarter of an hour, the newest; nothing while all is well. */
  refused: z.object({ time: z.string(), reason: z.enum(refusalReasons), count: z.number().int() }).nullable(),
  /** Latest value of each name with its time; greyed on screen while offline. */
  values: z.partialRecord(z.enum(Object.keys(stateValues) as [StateName, ...StateName[]]), latestValue),
  /** Values of its own making, by its own names. */
  own: z.record(z.string(), latestValue),
  /** How far the device's clock is ahead of the server's, in milliseconds; below zero it is behind. */
  clockOffset: z.number().nullable(),
  privateIp: z.string().nullable(),
  publicIp: z.string().nullable(),
  keepalive: z.number().nullable(),
  lastConnected: z.string().nullable(),
  lastDisconnected: z.string().nullable(),
  disconnectReason: z.enum(presenceReasons).nullable(),
  agent: z.string().nullable(),
  capabilities: z.array(z.string()),
  apps: z.array(
    z.object({
      package: z.string(),
      name: z.string().nullable(),
      version: z.string().nullable(),
      enabled: z.boolean().nullable(),
    }),
  ),
  kiosk: z.object({ on: z.boolean(), mode: z.string().nullable(), packages: z.array(z.string()) }).nullable(),
  licence: z.object({ state: z.string(), expiry: z.string() }).nullable(),
  traffic: z.object({ limitMb: z.number().nullable(), alarmPercent: z.number().nullable(), usedMb: z.number() }),
  /** What is wrong with it now, and since when. */
  problems: z.array(z.object({ problem: z.enum(deviceProblems), since: z.string().nullable() })),
})
export type DeviceDetail = z.output<typeof deviceDetailAnswer>
export const deviceDetail = defineEndpoint({
  name: 'deviceDetail',
  method: 'GET',
  path: '/api/v3/device/basic/detail',
  ...ofDevice,
  input: z.strictObject({ sn: deviceSn }),
  answer: deviceDetailAnswer,
})

/** Whether a device is held to a few programs, which ones, and what else is on it. */
export const deviceKiosk = defineEndpoint({
  name: 'deviceKiosk',
  method: 'GET',
  path: '/api/v3/device/kiosk/detail',
  perm: 'device:kiosk:view',
  scope: 'organisation',
  input: z.strictObject({ sn: deviceSn }),
  answer: deviceDetailAnswer.pick({ kiosk: true, apps: true }),
})

/** Of one step: when it began, and minimum, mean and maximum. */
const point = z.object({ t: z.number(), min: z.number(), avg: z.number(), max: z.number() })
/** Points for a chart: raw within a day, hourly within a month or two, daily beyond; minimum, mean and maximum of each step. */
export const deviceHistory = defineEndpoint({
  name: 'deviceHistory',
  method: 'GET',
  path: '/api/v3/device/basic/history',
  ...ofDevice,
  input: z.strictObject({
    sn: deviceSn,
    names: z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(z.enum(telemetryNames)).min(1)),
    startTime: moment(),
    endTime: moment(),
  }),
  answer: z.object({ step: z.number(), series: z.partialRecord(z.enum(telemetryNames), z.array(point)) }),
})
/** A number of the device's own making over time, for as long as single points are kept: one a minute. */
export const deviceOwnHistory = defineEndpoint({
  name: 'deviceOwnHistory',
  method: 'GET',
  path: '/api/v3/device/basic/ownHistory',
  ...ofDevice,
  input: z.strictObject({
    sn: deviceSn,
    name: z.string().regex(ownName),
    startTime: moment(),
    endTime: moment(),
  }),
  answer: z.object({ step: z.number(), points: z.array(point) }),
})

const eventLevel = z.enum(['info', 'minor', 'major', 'critical', 'emergency'])
const timelineEntry = z.object({
  time: z.string(),
  kind: z.enum([
    'registered',
    'connected',
    'disconnected',
    'event',
    'command',
    'operation',
    'moved',
    'activated',
    'refused',
  ]),
  title: z.string(),
  level: eventLevel,
  data: anyObject,
})
export type TimelineEntry = z.output<typeof timelineEntry>
export const deviceTimeline = defineEndpoint({
  name: 'deviceTimeline',
  method: 'GET',
  path: '/api/v3/device/basic/timeline',
  ...ofDevice,
  input: z.strictObject({ sn: deviceSn, before: moment().optional() }),
  answer: z.object({ rows: z.array(timelineEntry), next: z.string().nullable() }),
})
/** One event whole: the timeline leaves out data that is long and names it by `whole`. */
export const deviceEvent = defineEndpoint({
  name: 'deviceEvent',
  method: 'GET',
  path: '/api/v3/device/basic/event',
  ...ofDevice,
  input: z.strictObject({ sn: deviceSn, id: z.string().min(1).max(64) }),
  answer: z.object({
    time: z.string(),
    type: z.string(),
    level: eventLevel,
    text: z.string().nullable(),
    data: anyObject.nullable(),
  }),
})
/** The file to fill in for a transfer. */
export const transferTemplate = defineEndpoint({
  name: 'transferTemplate',
  method: 'GET',
  path: '/api/v3/device/basic/importTransfer/template',
  perm: 'device:list:transfer',
  scope: 'organisation',
  input: z.strictObject({}),
  answer: fileAnswer,
})
/** Serials of a file, .xlsx, .xls or .csv; `dryRun` only tells what would happen. */
export const importTransfer = defineEndpoint({
  name: 'importTransfer',
  method: 'POST',
  path: '/api/v3/device/basic/importTransfer',
  perm: 'device:list:transfer',
  scope: 'organisation',
  heavy: true,
  origin: true,
  upload: { maxBytes: sheetMaxBytes },
  faults: { departmentId: { missing: 204022, wrong: 204013 } },
  input: z.strictObject({
    departmentId: idInQuery(() => organisation),
    dryRun: z.enum(['true', 'false']).optional(),
  }),
  answer: transferAnswer,
})
/**
 * Serial numbers somebody pasted or has in a file (.xlsx, .xls, .csv, .txt; separated by slashes, commas, blanks or lines):
 * which of them are devices here, and what is wrong with the others. Nothing is changed.
 */
export const readSerials = defineEndpoint({
  name: 'readSerials',
  method: 'POST',
  path: '/api/v3/device/basic/readSerials',
  perm: 'device:list:list',
  scope: 'organisation',
  heavy: true,
  quiet: true,
  upload: { maxBytes: sheetMaxBytes },
  input: z.strictObject({}),
  answer: z.object({ sns: z.array(z.string()), failed: z.array(failedSerial) }),
})

/** A group by its number, with what a dynamic one goes by: the device list's own query. */
export const groupDetail = defineEndpoint({
  name: 'groupDetail',
  method: 'GET',
  path: '/api/v3/device/group/detail',
  perm: 'device:group:list',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => deviceGroup) }),
  answer: z.object({
    row: rowOf(() => deviceGroup),
    filter: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
  }),
})
/** What can be wrong with a part of a message; `notObject` and those before it with the whole of it. */
export const messageFaults = [
  'noJson',
  'tooDeep',
  'tooManyNames',
  'notObject',
  'missing',
  'wrongKind',
  'notOneOf',
  'tooLarge',
  'tooSmall',
  'tooLong',
  'tooShort',
  'tooMany',
  'wrongFormat',
] as const
/** What a value had to be, where it was of another kind. */
export const valueKinds = ['number', 'int', 'string', 'boolean', 'array', 'object'] as const
/** Why a message was refused. It never holds the value: that may be a secret. */
const refusedMessage = z.object({
  kind: z.enum(upKinds),
  fault: z.enum(messageFaults).exactOptional(),
  /** By its names and places: `apps.3.package`. */
  field: z.string().exactOptional(),
  /** The bound it passed, the words it is none of, or one of `valueKinds`. */
  expected: z.string().exactOptional(),
})
export type RefusedMessage = z.output<typeof refusedMessage>
/** One row a serial number, address and reason, however often it was tried. */
const refusedConnection = z.object({
  /** The last time. */
  time: z.string(),
  firstTime: z.string(),
  /** Nothing where many of one address were counted together. */
  sn: z.string().nullable(),
  /** Nothing where many of one device were counted together. */
  address: z.string().nullable(),
  reason: z.enum(refusalReasons),
  count: z.number().int(),
  /** The last message that was refused for this reason; nothing for a connection. */
  message: refusedMessage.nullable(),
})
export type RefusedConnection = z.output<typeof refusedConnection>
/** Who tried to connect and was refused, and why: the first thing to look at when a device does not appear. */
export const refusedConnections = defineEndpoint({
  name: 'refusedConnections',
  method: 'GET',
  path: '/api/v3/device/basic/refused',
  perm: 'device:list:list',
  scope: 'organisation',
  input: z.strictObject({}),
  answer: z.object({
    rows: z.array(refusedConnection),
    /** Whether devices that nobody has registered are among them; they are for the installation's own people only. */
    strangers: z.boolean(),
    /** Since when devices cannot connect at all; nothing while they can, or where another server serves them. */
    notServedSince: z.string().nullable(),
  }),
})

export const deviceEndpoints = [
  deviceDetail,
  deviceKiosk,
  deviceHistory,
  deviceOwnHistory,
  deviceTimeline,
  deviceEvent,
  transferTemplate,
  importTransfer,
  readSerials,
  groupDetail,
  refusedConnections,
]
