import type { SettingItems } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Planned } from './fleet-plan.ts'

interface Kept {
  readonly name: string
  readonly at: string
  readonly type?: number
  readonly remark?: string
  readonly by: string
  /** From the first to the one that holds now. */
  readonly versions: readonly SettingItems[]
}

const kept: readonly Kept[] = [
  {
    name: 'Store opening hours',
    at: 'Northgate Retail',
    type: 2,
    remark: 'Tills are off at night',
    by: 'retail.admin',
    versions: [
      { powerOff: '22:30', powerOn: '07:30', volume: 40 },
      { powerOff: '22:00', powerOn: '07:00', volume: 60, brightness: 80 },
    ],
  },
  {
    name: 'Depot robots',
    at: 'Meridian Logistics',
    type: 3,
    by: 'logistics.admin',
    versions: [{ heartbeatSeconds: 30, logLevel: 'warn', logPath: '/var/log/robot/' }],
  },
  {
    name: 'Class phones',
    at: 'Riverside School',
    type: 4,
    remark: 'Quiet during lessons',
    by: 'school.admin',
    versions: [{ volume: 70 }, { volume: 30, brightness: 60, timeZone: 'Asia/Hong_Kong' }],
  },
]

/** Ready to be pushed: nobody has yet, so that the first push of a demonstration is seen from its beginning. */
export const keepSettings = async (db: Db, places: ReadonlyMap<string, number>): Promise<void> => {
  for (const { name, at, type = null, remark = null, by, versions } of kept) {
    const departmentId = places.get(at)
    if (departmentId === undefined) continue
    await sql`with made as (
        insert into device_setting (name, device_type, department_id, remark, version, create_time, update_time)
        values (${name}, ${type}, ${departmentId}, ${remark}, ${versions.length}, now() - interval '20 days',
          now() - interval '4 days')
        returning id)
      insert into device_setting_version (setting_id, version, items, creator_id, create_time)
      select made.id, v.version, v.items, (select id from sys_user where username = ${by}),
        now() - (4 + 16 * (${versions.length} - v.version)) * interval '1 day'
      from made, jsonb_array_elements(${JSON.stringify(versions)}::jsonb) with ordinality as v(items, version)`.execute(
      db,
    )
  }
}

const benches = [
  { type: 3, command: 'report', payload: null },
  { type: 2, command: 'message', payload: '{"title":"Test","text":"Can you read this?"}' },
  { type: 4, command: 'call/test', payload: '{"seconds":5}' },
] as const

/** One command to one living device each. */
export const keepBench = async (db: Db, placed: readonly (Planned & { departmentId: number })[]): Promise<void> => {
  const rows = benches.flatMap(({ type, command, payload }) => {
    const device = placed.find((each) => each.type === type && !each.boxed && each.goneDays === undefined)
    return device ? [{ model: device.model, sn: device.sn, departmentId: device.departmentId, command, payload }] : []
  })
  await sql`insert into test_model (model, sn, command, payload, department_id)
    select u.model, u.sn, u.command, u.payload, u."departmentId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(model text, sn text, command text, payload text,
      "departmentId" bigint)`.execute(db)
}
