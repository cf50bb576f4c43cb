import {
  AppError,
  commonErrors,
  deviceErrors,
  deviceHistory,
  deviceOwnHistory,
  refusedConnections,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { backwards } from '../../kit/list/spans.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import type { Devices } from './link.ts'
import { findOwnHistory } from './own-values.store.ts'
import { findRefusals, trimRefusals } from './refused.store.ts'
import { findHistory } from './telemetry/history.ts'
import { keepTelemetry } from './telemetry/packing.ts'

const tidyMs = 5 * 60_000
/** A year and a bit: two full Januaries can be compared. */
const spanMax = 400 * 86_400_000

const findId = async (db: Db, scope: Scope, sn: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select t.id from device t join department d on d.id = t.department_id
    where t.sn = ${sn} and ${reaches(scope, sql`d.path`)}`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new AppError(deviceErrors.notFound, { sn })
  return id
}

const readRange = (startTime: string, endTime: string) => {
  const range = { from: Date.parse(startTime), to: Date.parse(endTime) }
  if (range.to <= range.from) throw backwards(new Date(range.from).toISOString(), 'endTime')
  if (range.to - range.from > spanMax) throw new AppError({ ...commonErrors.timeGapTooLarge, field: 'startTime' })
  return range
}

/** What devices told over time, and who was not let in. */
export const mountHistory = ({ kit, jobs, db, devices }: Services & { devices: Pick<Devices, 'notServedSince'> }) => {
  kit.guarded(deviceHistory, 'device', async (call) => {
    const { sn, names, startTime, endTime } = call.input
    const range = readRange(startTime, endTime)
    return findHistory(call.db, await findId(call.db, call.scope, sn), names, range)
  })

  kit.guarded(deviceOwnHistory, 'device', async (call) => {
    const { sn, name, startTime, endTime } = call.input
    const range = readRange(startTime, endTime)
    return findOwnHistory(call.db, await findId(call.db, call.scope, sn), name, range)
  })

  kit.guarded(refusedConnections, 'device', async (call) => ({
    rows: await findRefusals(call.db, call.scope),
    strangers: call.scope.everything,
    notServedSince: devices.notServedSince(),
  }))

  jobs.every('keeping telemetry', tidyMs, () => keepTelemetry(db, new Date()))
  jobs.every('trimming refused connections', tidyMs, () => trimRefusals(db))
}
