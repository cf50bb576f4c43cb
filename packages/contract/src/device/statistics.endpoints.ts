import { z } from 'zod'
import { defineEndpoint, idInQuery, moment } from '../kit/index.ts'
import { organisation } from '../organisation/organisation.resource.ts'

const count = z.number().int()
const statistics = z.object({
  totalNum: count,
  onlineToday: count,
  offlineToday: count,
  warehouse: count,
  distributed: count,
  currentDistribution: count,
  onlineNum: count,
  offlineNum: count,
  /** Of those that are offline: activated and bound, and not connected for a day. */
  awayNum: count,
  flappingNum: count,
  chargingNum: count,
  breakdownNum: count,
  workingNum: count,
  idleNum: count,
  activeNum: count,
  deviceCertCount: count,
  licencesExpiring: count,
  /** The time `activeNum` is of; nothing where none was asked for, which is the last hour. */
  periodType: count.nullable(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
})
export type Statistics = z.output<typeof statistics>
/** Figures of the device list, for whoever may open it: each counts the rows the list would show. */
const home = { perm: 'device:list:list', scope: 'organisation' } as const
const period = {
  periodType: z.coerce.number().int().min(1).max(7).default(2),
  startTime: moment().optional(),
  endTime: moment().optional(),
}
export const deviceStatistics = defineEndpoint({
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
  answer: statistics,
})
/** Devices there in a step, and in the step of the span before; null where nobody was counting. */
const activityStep = z.object({ time: z.string(), active: count.nullable(), previous: count.nullable() })
export type ActivityStep = z.output<typeof activityStep>
export const deviceActive = defineEndpoint({
  name: 'deviceActive',
  method: 'GET',
  path: '/api/v3/home/deviceActive',
  ...home,
  input: z.strictObject(period),
  answer: z.object({ rows: z.array(activityStep) }),
})
export const deviceSummary = defineEndpoint({
  name: 'deviceSummary',
  method: 'GET',
  path: '/api/v3/analysis/deviceSummary/list',
  ...home,
  input: z.strictObject({
    ...period,
    page: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(199).default(30),
  }),
  answer: z.object({
    rows: z.array(
      z.object({
        date: z.string(),
        onlineDevices: z.number().int(),
        totalDevices: z.number().int(),
        onlineRate: z.number(),
        assignedDevices: z.number().int(),
      }),
    ),
    total: z.number().int(),
  }),
})
const spread = z.object({ countJson: z.record(z.string(), count) })
export const firmwareSpread = defineEndpoint({
  name: 'firmwareSpread',
  method: 'GET',
  path: '/api/v3/analysis/device/fwVer',
  ...home,
  input: z.strictObject({ model: z.string().max(64).optional() }),
  answer: spread,
})
export const modelSpread = defineEndpoint({
  name: 'modelSpread',
  method: 'GET',
  path: '/api/v3/analysis/device/model',
  ...home,
  input: z.strictObject({}),
  answer: spread,
})
export const appSpread = defineEndpoint({
  name: 'appSpread',
  method: 'GET',
  path: '/api/v3/analysis/device/apkVer',
  ...home,
  input: z.strictObject({ package: z.string().max(128).optional() }),
  answer: spread,
})
export const departmentStatistics = defineEndpoint({
  name: 'departmentStatistics',
  method: 'GET',
  path: '/api/v1/oauth/depts/deviceStats',
  ...home,
  input: z.strictObject({ departmentId: idInQuery(() => organisation) }),
  answer: z.object({ deviceCertCount: z.number().int(), devices: z.number().int(), online: z.number().int() }),
})

export const statisticsEndpoints = [
  deviceStatistics,
  deviceActive,
  deviceSummary,
  firmwareSpread,
  modelSpread,
  appSpread,
  departmentStatistics,
]
