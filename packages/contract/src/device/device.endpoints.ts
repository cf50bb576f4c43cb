import { z } from 'zod'
import { defineEndpoint, idInQuery, type Row, sheetMaxBytes } from '../kit/index.ts'
import { organisation } from '../organisation/organisation.resource.ts'
import type { device, TransferAnswer } from './device.resource.ts'
import { serialMax } from './facts.ts'
import { deviceGroup } from './group.resource.ts'
import { ownName, type StateName, telemetryNames, type UpKind } from './protocol.ts'

const sn = z.string().max(serialMax)
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

export interface LatestValue {
  value: string | number | boolean
  /** By the device's clock, or with `received` by the server's: the device has none, and this is when the value came in. */
  ts: string
  received?: true
}

export interface DeviceDetail {
  row: Row<typeof device>
  /** What was refused of it in the last quarter of an hour, the newest; nothing while all is well. */
  refused: Pick<RefusedConnection, 'time' | 'reason' | 'count'> | null
  /** Latest value of each name with its time; greyed on screen while offline. */
  values: Partial<Record<StateName, LatestValue>>
  /** Values of its own making, by its own names. */
  own: Record<string, LatestValue>
  /** How far the device's clock is ahead of the server's, in milliseconds; below zero it is behind. */
  clockOffset: number | null
  privateIp: string | null
  publicIp: string | null
  keepalive: number | null
  lastConnected: string | null
  lastDisconnected: string | null
  disconnectReason: (typeof presenceReasons)[number] | null
  agent: string | null
  capabilities: string[]
  apps: { package: string; name: string | null; version: string | null; enabled: boolean | null }[]
  kiosk: { on: boolean; mode: string | null; packages: string[] } | null
  licence: { state: string; expiry: string } | null
  traffic: { limitMb: number | null; alarmPercent: number | null; usedMb: number }
}
export const deviceDetail = defineEndpoint<DeviceDetail>()({
  name: 'deviceDetail',
  method: 'GET',
  path: '/api/v3/device/basic/detail',
  ...ofDevice,
  input: z.strictObject({ sn }),
})

/** Whether a device is held to a few programs, which ones, and what else is on it. */
export const deviceKiosk = defineEndpoint<Pick<DeviceDetail, 'kiosk' | 'apps'>>()({
  name: 'deviceKiosk',
  method: 'GET',
  path: '/api/v3/device/kiosk/detail',
  perm: 'device:kiosk:view',
  scope: 'organisation',
  input: z.strictObject({ sn }),
})

/** Points for a chart: raw within a day, hourly within a month or two, daily beyond; minimum, mean and maximum of each step. */
export const deviceHistory = defineEndpoint<{
  step: number
  series: Partial<Record<(typeof telemetryNames)[number], { t: number; min: number; avg: number; max: number }[]>>
}>()({
  name: 'deviceHistory',
  method: 'GET',
  path: '/api/v3/device/basic/history',
  ...ofDevice,
  input: z.strictObject({
    sn,
    names: z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(z.enum(telemetryNames)).min(1)),
    startTime: z.iso.datetime({ offset: true }),
    endTime: z.iso.datetime({ offset: true }),
  }),
})
/** A number of the device's own making over time, for as long as single points are kept: one a minute. */
export const deviceOwnHistory = defineEndpoint<{
  step: number
  points: { t: number; min: number; avg: number; max: number }[]
}>()({
  name: 'deviceOwnHistory',
  method: 'GET',
  path: '/api/v3/device/basic/ownHistory',
  ...ofDevice,
  input: z.strictObject({
    sn,
    name: z.string().regex(ownName),
    startTime: z.iso.datetime({ offset: true }),
    endTime: z.iso.datetime({ offset: true }),
  }),
})

export interface TimelineEntry {
  time: string
  kind:
    | 'registered'
    | 'connected'
    | 'disconnected'
    | 'event'
    | 'command'
    | 'operation'
    | 'moved'
    | 'activated'
    | 'refused'
  title: string
  level: 'info' | 'minor' | 'major' | 'critical' | 'emergency'
  data: Record<string, unknown>
}
export const deviceTimeline = defineEndpoint<{ rows: TimelineEntry[]; next: string | null }>()({
  name: 'deviceTimeline',
  method: 'GET',
  path: '/api/v3/device/basic/timeline',
  ...ofDevice,
  input: z.strictObject({ sn, before: z.iso.datetime({ offset: true }).optional() }),
})
/** One event whole: the timeline leaves out data that is long and names it by `whole`. */
export const deviceEvent = defineEndpoint<{
  time: string
  type: string
  level: TimelineEntry['level']
  text: string | null
  data: Record<string, unknown> | null
}>()({
  name: 'deviceEvent',
  method: 'GET',
  path: '/api/v3/device/basic/event',
  ...ofDevice,
  input: z.strictObject({ sn, id: z.string().min(1).max(64) }),
})
/** Monthly limit and its use by day: of a month, or from one day to another. */
export const deviceTraffic = defineEndpoint<{
  limitMb: number | null
  alarmPercent: number | null
  usedMb: number
  days: { date: string; mobileUp: number; mobileDown: number; wifiUp: number; wifiDown: number }[]
}>()({
  name: 'deviceTraffic',
  method: 'GET',
  path: '/api/v3/device/traffic/detail',
  perm: 'device:traffic:list',
  scope: 'organisation',
  input: z.strictObject({
    sn,
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
      .optional(),
    /** Both days included; instead of a month. */
    startDate: z.iso.date().optional(),
    endDate: z.iso.date().optional(),
  }),
})
/** The same days as a sheet. */
export const exportTraffic = defineEndpoint<never>()({
  name: 'exportTraffic',
  method: 'GET',
  path: '/api/v3/device/traffic/export',
  perm: 'device:traffic:export',
  scope: 'organisation',
  personal: true,
  input: deviceTraffic.input,
})
export const setTrafficLimit = defineEndpoint<Record<never, never>>()({
  name: 'setTrafficLimit',
  method: 'PUT',
  path: '/api/v3/device/traffic/limit',
  perm: 'device:traffic:edit',
  scope: 'organisation',
  input: z.strictObject({
    sn,
    limitMb: z.number().int().min(1).max(10_000_000).nullable(),
    alarmPercent: z.number().int().min(1).max(100).nullable(),
  }),
})
/** The file to fill in for a transfer. */
export const transferTemplate = defineEndpoint<never>()({
  name: 'transferTemplate',
  method: 'GET',
  path: '/api/v3/device/basic/importTransfer/template',
  perm: 'device:list:transfer',
  scope: 'organisation',
  input: z.strictObject({}),
})
/** Serials of a file, .xlsx or .xls; `dryRun` only tells what would happen. */
export const importTransfer = defineEndpoint<TransferAnswer>()({
  name: 'importTransfer',
  method: 'POST',
  path: '/api/v3/device/basic/importTransfer',
  perm: 'device:list:transfer',
  scope: 'organisation',
  origin: true,
  upload: { maxBytes: sheetMaxBytes },
  faults: { departmentId: { missing: 204022, wrong: 204013 } },
  input: z.strictObject({
    departmentId: idInQuery(() => organisation),
    dryRun: z.enum(['true', 'false']).optional(),
  }),
})
/**
 * Serial numbers somebody pasted or has in a file (.xlsx, .xls, .txt; separated by slashes, commas, blanks or lines):
 * which of them are devices here, and what is wrong with the others. Nothing is changed.
 */
export const readSerials = defineEndpoint<{
  sns: string[]
  failed: { row: number; sn: string; code: number; message: string }[]
}>()({
  name: 'readSerials',
  method: 'POST',
  path: '/api/v3/device/basic/readSerials',
  perm: 'device:list:list',
  scope: 'organisation',
  quiet: true,
  upload: { maxBytes: sheetMaxBytes },
  input: z.strictObject({}),
})

export interface Statistics {
  totalNum: number
  onlineToday: number
  offlineToday: number
  warehouse: number
  distributed: number
  currentDistribution: number
  onlineNum: number
  offlineNum: number
  flappingNum: number
  chargingNum: number
  breakdownNum: number
  workingNum: number
  idleNum: number
  activeNum: number
  deviceCertCount: number
  licencesExpiring: number
  /** The time `activeNum` is of; nothing where none was asked for, which is the last hour. */
  periodType: number | null
  startTime: string | null
  endTime: string | null
}
/** Figures of the device list, for whoever may open it: each counts the rows the list would show. */
const home = { perm: 'device:list:list', scope: 'organisation' } as const
const period = {
  periodType: z.coerce.number().int().min(1).max(7).default(2),
  startTime: z.iso.datetime({ offset: true }).optional(),
  endTime: z.iso.datetime({ offset: true }).optional(),
}
export const deviceStatistics = defineEndpoint<Statistics>()({
  name: 'deviceStatistics',
  method: 'GET',
  path: '/api/v3/device/basic/statistics',
  ...home,
  input: z.strictObject({
    ...period,
    /** The running hour, day, week …; 7: from `startTime` on. */
    periodType: z.coerce.number().int().min(1).max(7).optional(),
    departmentId: idInQuery(() => organisation).optional(),
  }),
})
/** Devices there in a step, and in the step of the span before; null where nobody was counting. */
export interface ActivityStep {
  time: string
  active: number | null
  previous: number | null
}
export const deviceActive = defineEndpoint<{ rows: ActivityStep[] }>()({
  name: 'deviceActive',
  method: 'GET',
  path: '/api/v3/home/deviceActive',
  ...home,
  input: z.strictObject(period),
})
export const deviceSummary = defineEndpoint<{
  rows: { date: string; onlineDevices: number; totalDevices: number; onlineRate: number; assignedDevices: number }[]
  total: number
}>()({
  name: 'deviceSummary',
  method: 'GET',
  path: '/api/v3/analysis/deviceSummary/list',
  ...home,
  input: z.strictObject({
    ...period,
    page: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(199).default(30),
  }),
})
export const firmwareSpread = defineEndpoint<{ countJson: Record<string, number> }>()({
  name: 'firmwareSpread',
  method: 'GET',
  path: '/api/v3/analysis/device/fwVer',
  ...home,
  input: z.strictObject({ model: z.string().max(64).optional() }),
})
export const modelSpread = defineEndpoint<{ countJson: Record<string, number> }>()({
  name: 'modelSpread',
  method: 'GET',
  path: '/api/v3/analysis/device/model',
  ...home,
  input: z.strictObject({}),
})
export const appSpread = defineEndpoint<{ countJson: Record<string, number> }>()({
  name: 'appSpread',
  method: 'GET',
  path: '/api/v3/analysis/device/apkVer',
  ...home,
  input: z.strictObject({ package: z.string().max(128).optional() }),
})
export const departmentStatistics = defineEndpoint<{ deviceCertCount: number; devices: number; online: number }>()({
  name: 'departmentStatistics',
  method: 'GET',
  path: '/api/v1/oauth/depts/deviceStats',
  ...home,
  input: z.strictObject({ departmentId: idInQuery(() => organisation) }),
})
/** A group by its number, with what a dynamic one goes by: the device list's own query. */
export const groupDetail = defineEndpoint<{
  row: Row<typeof deviceGroup>
  filter: Record<string, string | string[]> | null
}>()({
  name: 'groupDetail',
  method: 'GET',
  path: '/api/v3/device/group/detail',
  perm: 'device:group:list',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => deviceGroup) }),
})
/** What can be wrong with a part of a message; `notObject` and the two before it with the whole of it. */
export const messageFaults = [
  'noJson',
  'tooDeep',
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
export interface RefusedMessage {
  kind: UpKind
  fault?: (typeof messageFaults)[number]
  /** By its names and places: `apps.3.package`. */
  field?: string
  /** The bound it passed, the words it is none of, or one of `valueKinds`. */
  expected?: string
}
/** One row a serial number, address and reason, however often it was tried. */
export interface RefusedConnection {
  /** The last time. */
  time: string
  firstTime: string
  /** Nothing where many of one address were counted together. */
  sn: string | null
  /** Nothing where many of one device were counted together. */
  address: string | null
  reason: (typeof refusalReasons)[number]
  count: number
  /** The last message that was refused for this reason; nothing for a connection. */
  message: RefusedMessage | null
}
/** Who tried to connect and was refused, and why: the first thing to look at when a device does not appear. */
export const refusedConnections = defineEndpoint<{
  rows: RefusedConnection[]
  /** Whether devices that nobody has registered are among them; they are for the installation's own people only. */
  strangers: boolean
  /** Since when devices cannot connect at all; nothing while they can, or where another server serves them. */
  notServedSince: string | null
}>()({
  name: 'refusedConnections',
  method: 'GET',
  path: '/api/v3/device/basic/refused',
  perm: 'device:list:list',
  scope: 'organisation',
  input: z.strictObject({}),
})

export const deviceEndpoints = [
  deviceDetail,
  deviceKiosk,
  deviceHistory,
  deviceOwnHistory,
  deviceTimeline,
  deviceEvent,
  deviceTraffic,
  exportTraffic,
  setTrafficLimit,
  transferTemplate,
  importTransfer,
  readSerials,
  groupDetail,
  deviceStatistics,
  deviceActive,
  deviceSummary,
  firmwareSpread,
  modelSpread,
  appSpread,
  departmentStatistics,
  refusedConnections,
]
