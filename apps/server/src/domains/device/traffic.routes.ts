import { deviceTraffic, exportTraffic, setTrafficLimit } from '@campanile/contract'
import { sql } from 'kysely'
import { RawAnswer } from '../../kit/answer.ts'
import { attachment } from '../../kit/export/download.ts'
import type { Kit } from '../../kit/route.ts'
import { touchRows } from '../../kit/touched.ts'
import { writeWorkbook } from '../../platform/sheet/write.ts'
import { textOf } from '../../platform/texts.ts'
import { findDevice } from './detail.store.ts'
import { deviceTable } from './device.table.ts'
import { counters, findTraffic } from './traffic.store.ts'

/** What a device used of its network, and how much it may. */
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
    const span = [input.startDate, input.endDate].filter(Boolean).join(' – ')
    const when = span || (input.month ?? new Date().toISOString().slice(0, 7))
    return new RawAnswer((reply) => attachment(reply, `${sn} ${when}.xlsx`, { stream }))
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
