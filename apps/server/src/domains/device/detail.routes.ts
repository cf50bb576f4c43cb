import {
  deviceDetail,
  deviceTask,
  deviceTimeline,
  deviceTraffic,
  operationLog,
  setTrafficLimit,
} from '@campanile/contract'
import { sql } from 'kysely'
import { scopeFor } from '../../kit/actor.ts'
import type { Kit } from '../../kit/route.ts'
import { describeDevice, findDevice } from './detail.store.ts'
import { findTimeline } from './timeline.store.ts'
import { findTraffic } from './traffic.store.ts'

/** One device: what it is, what happened to it, what it used. */
export const mountDetail = (kit: Kit) => {
  kit.guarded(deviceDetail, 'device', async ({ db, scope, input }) => {
    const row = await findDevice(db, scope, input.sn)
    const [detail, traffic] = await Promise.all([describeDevice(db, row), findTraffic(db, row.id, undefined)])
    const { days: _days, ...used } = traffic
    return { ...detail, traffic: used }
  })

  kit.guarded(deviceTimeline, 'device', async ({ db, scope, actor, input }) => {
    const { id, sn } = await findDevice(db, scope, input.sn)
    const scopes = {
      commands: scopeFor(actor, deviceTask.perms.list),
      operations: scopeFor(actor, operationLog.perms.list),
    }
    return findTimeline(db, { id, sn }, scopes, input.before)
  })

  kit.guarded(deviceTraffic, 'device', async ({ db, scope, input }) => {
    const { id } = await findDevice(db, scope, input.sn)
    return findTraffic(db, id, input.month)
  })

  kit.guarded(setTrafficLimit, 'device', async (call) => {
    const { db, scope, input } = call
    const { id, sn } = await findDevice(db, scope, input.sn)
    const { rows } = await sql<{ limitMb: number | null; alarmPercent: number | null }>`select
      traffic_limit_mb as "limitMb", traffic_alarm_percent as "alarmPercent" from device where id = ${id} for update`.execute(
      db,
    )
    const { limitMb, alarmPercent } = input
    await sql`update device set traffic_limit_mb = ${limitMb}, traffic_alarm_percent = ${alarmPercent}
      where id = ${id}`.execute(db)
    call.note({ description: sn, before: rows[0], after: { limitMb, alarmPercent } })
    return {}
  })
}
