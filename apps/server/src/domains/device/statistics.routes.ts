import {
  AppError,
  appSpread,
  commonErrors,
  departmentStatistics,
  deviceActive,
  deviceStatistics,
  deviceSummary,
  firmwareSpread,
  modelSpread,
} from '@campanile/contract'
import { backwards } from '../../kit/list/spans.ts'
import type { Kit } from '../../kit/route.ts'
import type { Db } from '../../platform/db.ts'
import { findActivity, isCounted, periods } from './activity.ts'
import {
  beginningOf,
  countDepartment,
  countDevices,
  type Period,
  spreadOfApps,
  spreadOfFirmware,
  spreadOfModels,
} from './statistics.store.ts'

interface Asked {
  periodType: number
  startTime?: string | undefined
  endTime?: string | undefined
}
const dayMs = 86_400_000
const unitMs = {
  hour: dayMs / 24,
  day: dayMs,
  week: 7 * dayMs,
  month: 31 * dayMs,
  quarter: 92 * dayMs,
  year: 366 * dayMs,
}
const mostSteps = 1_000
const custom = 7

/** The steps meant and the span before them that they are compared with. */
const spanOf = ({ periodType, startTime, endTime }: Asked, now: Date) => {
  const period = periods.find(({ type }) => type === (periodType === custom ? 2 : periodType))
  if (!period || (periodType === custom && !startTime))
    throw new AppError({ ...commonErrors.missingParameter, field: 'startTime' }, { field: 'startTime' })
  const step = unitMs[period.unit]
  const to = endTime ? new Date(endTime).getTime() : now.getTime()
  const from = startTime ? new Date(startTime).getTime() : to - (period.shown - 1) * step
  const iso = (ms: number) => new Date(ms).toISOString()
  if (from > to) throw backwards(iso(from), 'endTime')
  if ((to - from) / step > mostSteps) throw new AppError(commonErrors.timeGapTooLarge)
  return { period, from: iso(from), to: iso(to), before: iso(from - (to - from) - step) }
}

/** The time asked for: between the two that are named, or since the running hour, day, week … began. */
const runningPeriod = async (
  db: Db,
  { periodType, startTime, endTime }: Omit<Asked, 'periodType'> & { periodType?: number | undefined },
): Promise<Period | undefined> => {
  if (periodType === undefined && startTime === undefined) return undefined
  const period = periods.find(({ type }) => type === periodType)
  if (startTime === undefined && !period)
    throw new AppError({ ...commonErrors.missingParameter, field: 'startTime' }, { field: 'startTime' })
  const now = Date.now()
  const to = endTime ?? new Date(now).toISOString()
  const from = startTime ?? (await beginningOf(db, period?.unit ?? 'day', to))
  if (Date.parse(from) > Date.parse(to)) throw backwards(from, 'endTime')
  return { from, to, isRunning: Date.parse(to) >= now }
}

/** The home screen's figures, each within what the caller may see. */
export const mountStatistics = (kit: Kit) => {
  kit.guarded(deviceStatistics, 'home', async ({ db, scope, input: { departmentId, ...asked } }) => {
    const period = await runningPeriod(db, asked)
    const { from = null, to = null } = period ?? {}
    const counted = await countDevices(db, scope, { departmentId, period })
    return { ...counted, periodType: asked.periodType ?? null, startTime: from, endTime: to }
  })

  kit.guarded(deviceActive, 'home', async ({ db, scope, input }) => {
    const { period, from, to, before } = spanOf(input, new Date())
    const [rows, earlier] = await Promise.all([
      findActivity(db, scope, period, from, to),
      findActivity(db, scope, period, before, from),
    ])
    const shift = earlier.length - 1 - rows.length
    return {
      rows: rows.map(({ time, active }, at) => ({ time, active, previous: earlier[at + shift]?.active ?? null })),
    }
  })

  kit.guarded(deviceSummary, 'home', async ({ db, scope, input }) => {
    const { period, from, to } = spanOf(input, new Date())
    const steps = (await findActivity(db, scope, period, from, to)).filter(isCounted).reverse()
    const first = (input.page - 1) * input.pageSize
    const rows = steps.slice(first, first + input.pageSize).map(({ time, active, total, distributed }) => ({
      date: time.slice(0, period.unit === 'hour' ? 16 : 10),
      onlineDevices: active,
      totalDevices: total,
      onlineRate: total === 0 ? 0 : Math.round(Math.min(1, active / total) * 10_000) / 10_000,
      assignedDevices: distributed,
    }))
    return { rows, total: steps.length }
  })

  kit.guarded(firmwareSpread, 'home', async ({ db, scope, input }) => ({
    countJson: await spreadOfFirmware(db, scope, input.model),
  }))
  kit.guarded(modelSpread, 'home', async ({ db, scope }) => ({ countJson: await spreadOfModels(db, scope) }))
  kit.guarded(appSpread, 'home', async ({ db, scope, input }) => ({
    countJson: await spreadOfApps(db, scope, input.package),
  }))
  kit.guarded(departmentStatistics, 'home', ({ db, scope, input }) => countDepartment(db, scope, input.departmentId))
}
