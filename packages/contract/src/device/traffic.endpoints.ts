import { z } from 'zod'
import { defineEndpoint, done, fileAnswer, idInQuery } from '../kit/index.ts'
import { organisation } from '../organisation/organisation.resource.ts'
import { deviceSn } from './device.resource.ts'

/** A month, the running one when left out; or from one day to another. */
const trafficPeriod = {
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional(),
  /** Both days included; instead of a month. */
  startDate: z.iso.date().optional(),
  endDate: z.iso.date().optional(),
}
/** Monthly limit and its use by day: of a month, or from one day to another. */
export const deviceTraffic = defineEndpoint({
  name: 'deviceTraffic',
  method: 'GET',
  path: '/api/v3/device/traffic/detail',
  perm: 'device:traffic:list',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({ sn: deviceSn, ...trafficPeriod }),
  answer: z.object({
    limitMb: z.number().nullable(),
    alarmPercent: z.number().nullable(),
    usedMb: z.number(),
    days: z.array(
      z.object({
        date: z.string(),
        mobileUp: z.number(),
        mobileDown: z.number(),
        wifiUp: z.number(),
        wifiDown: z.number(),
      }),
    ),
  }),
})
/** The same days as a sheet. */
export const exportTraffic = defineEndpoint({
  name: 'exportTraffic',
  method: 'GET',
  path: '/api/v3/device/traffic/export',
  perm: 'device:traffic:export',
  scope: 'organisation',
  heavy: true,
  personal: true,
  input: deviceTraffic.input,
  answer: fileAnswer,
})
/** Bytes of one app, by network; `up` and `down` where its device cannot tell which. */
const trafficOfApp = z.object({
  package: z.string(),
  /** As its devices call it. */
  name: z.string().nullable(),
  devices: z.number().int(),
  mobileUp: z.number(),
  mobileDown: z.number(),
  wifiUp: z.number(),
  wifiDown: z.number(),
  up: z.number(),
  down: z.number(),
})
export type AppTraffic = z.output<typeof trafficOfApp>
/** What apps have used within the period, the greediest first: of one device, or of all within reach. */
export const trafficByApp = defineEndpoint({
  name: 'trafficByApp',
  method: 'GET',
  path: '/api/v3/device/traffic/apps',
  perm: 'device:traffic:list',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({
    sn: deviceSn.optional(),
    departmentId: idInQuery(() => organisation).optional(),
    ...trafficPeriod,
  }),
  answer: z.object({
    rows: z.array(trafficOfApp),
    /** How many apps there are; the rows are the first 500. */
    total: z.number().int(),
  }),
})
/** The same apps as a sheet. */
export const exportTrafficByApp = defineEndpoint({
  name: 'exportTrafficByApp',
  method: 'GET',
  path: '/api/v3/device/traffic/apps/export',
  perm: 'device:traffic:export',
  scope: 'organisation',
  heavy: true,
  personal: true,
  input: trafficByApp.input,
  answer: fileAnswer,
})
export const setTrafficLimit = defineEndpoint({
  name: 'setTrafficLimit',
  method: 'PUT',
  path: '/api/v3/device/traffic/limit',
  perm: 'device:traffic:edit',
  scope: 'organisation',
  input: z.strictObject({
    sn: deviceSn,
    limitMb: z.number().int().min(1).max(10_000_000).nullable(),
    alarmPercent: z.number().int().min(1).max(100).nullable(),
  }),
  answer: done,
})

export const trafficEndpoints = [deviceTraffic, exportTraffic, trafficByApp, exportTrafficByApp, setTrafficLimit]
