import { z } from 'zod'
import { defineDeviceEvent, object } from '../kit/index.ts'
import { type AppCounts, appCounters, appsAtOnce, counterMax, nameMax, tsMax } from './protocol.ts'

const counter = z.number().int().min(0).max(counterMax).optional()
const counts = z.object({
  since: z.number().int().min(0).max(tsMax),
  ...Object.fromEntries(appCounters.map((name) => [name, counter])),
}) as unknown as z.ZodType<AppCounts>

/** What the apps of a device have sent and received since they are counted. */
export const appTraffic = defineDeviceEvent({
  type: 'appTraffic',
  texts: 'deviceTraffic',
  meaning: 'what apps have sent and received since they are counted; see Traffic of apps',
  shown: false,
  data: { apps: object(counts, appsAtOnce, nameMax) },
})
