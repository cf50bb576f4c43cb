import {
  deviceTraffic,
  exportTraffic,
  exportTrafficByApp,
  protocol,
  setTrafficLimit,
  trafficByApp,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { RawAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { attachment } from '../../kit/export/download.ts'
import type { Kit } from '../../kit/route.ts'
import { touchRows } from '../../kit/touched.ts'
import { writeWorkbook } from '../../platform/sheet/write.ts'
import { textOf } from '../../platform/texts.ts'
import { findAppTraffic, listAppTraffic } from './app-traffic.store.ts'
import { findDevice } from './detail.store.ts'
import { deviceTable } from './device.table.ts'
import { counters, findTraffic, spanOf, type TrafficSpan } from './traffic.store.ts'

type AppQuery = z.output<typeof trafficByApp.input>

/** As the name of a file says it. */
const periodName = ({ startDate, endDate, month }: TrafficSpan) =>
  [startDate, endDate].filter(Boolean).join(' – ') || (month ?? new Date().toISOString().slice(0, 7))

/** What devices and their apps used of the network, and how much a device may. */
export const mountTraffic = (kit: Kit) => {
  kit.guarded(deviceTraffic, 'device', async ({ db, scope, input }) => {
    const { id } = await findDevice(db, scope, input.sn)
    return findTraffic(db, id, input)
  })

  kit.guarded(exportTraffic, 'device', async (call) => {
    const { db, scope, input, caller } = call
    const { id, sn } = await findDevice(db, scope, input.sn)
    const { days } = await findTraffic(db, id, input)
    const word = (name: string) => textOf(`deviceTraffic.column.${name}`, caller.language)
    const rows = days.map((day) => [
      day.date,
      ...counters.map((name) => day[name]),
      counters.reduce((sum, name) => sum + day[name], 0),
    ])
    const columns = ['date', ...counters, 'total'].map((name) => ({
      header: name === 'date' ? word(name) : `${word(name)} (B)`,
      width: 22,
    }))
    const stream = writeWorkbook([{ name: sn, columns, batches: [rows] }])
    call.note({ description: sn, type: 'export' })
    await touchRows(call, deviceTable, [id])
    return new RawAnswer((reply) => attachment(reply, `${sn} ${periodName(input)}.xlsx`, { stream }))
  })

  const queryOf = async ({ db, scope, input }: Call<AppQuery>) => ({
    ...spanOf(input, new Date()),
    departmentId: input.departmentId,
    ...(input.sn !== undefined && { deviceId: (await findDevice(db, scope, input.sn)).id }),
  })
  kit.guarded(trafficByApp, 'device', async (call) => findAppTraffic(call.db, call.scope, await queryOf(call)))

  kit.guarded(exportTrafficByApp, 'device', async (call) => {
    const { db, scope, input, caller } = call
    const { rows: apps } = await listAppTraffic(db, scope, await queryOf(call))
    const word = (name: string) => textOf(`deviceTraffic.column.${name}`, caller.language)
    const isOfMany = input.sn === undefined
    const rows = apps.map((app) => [
      app.name ?? '',
      app.package,
      ...(isOfMany ? [app.devices] : []),
      ...protocol.appCounters.map((name) => app[name]),
      protocol.appCounters.reduce((sum, name) => sum + app[name], 0),
    ])
    const columns = [
      ...['app', 'package', ...(isOfMany ? ['devices'] : [])].map((name) => ({ header: word(name), width: 28 })),
      ...[...protocol.appCounters, 'total'].map((name) => ({ header: `${word(name)} (B)`, width: 22 })),
    ]
    const title = input.sn ?? textOf('deviceTraffic.byApp', caller.language)
    const stream = writeWorkbook([{ name: title, columns, batches: [rows] }])
    call.note({ description: title, type: 'export' })
    return new RawAnswer((reply) => attachment(reply, `${title} ${periodName(input)}.xlsx`, { stream }))
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
    await touchRows(call, deviceTable, [id])
    return {}
  })
}
