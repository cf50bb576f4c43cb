import { randomBytes } from 'node:crypto'
import { activationStates, deviceTypes } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { dice, type Planned, plan } from './fleet-plan.ts'
import { keepBench, keepSettings } from './fleet-settings.ts'
import { giveTasks } from './fleet-tasks.ts'

/** What a device costs to insert, with the department it stands in. */
type Placed = Planned & { readonly departmentId: number }

/** Departments below the top by the names that lead to them. */
const findPlaces = async (db: Db, si: number): Promise<Map<string, number>> => {
  const { rows } = await sql<{ id: number; place: string }>`select d.id,
      (select string_agg(a.name, '/' order by nlevel(a.path)) from department a
        where a.path @> d.path and a.path <@ top.path and a.id <> top.id) as place
    from department d join department top on top.id = ${si} and d.path <@ top.path and d.id <> top.id`.execute(db)
  return new Map(rows.map(({ id, place }) => [place, id]))
}

/** The devices of the demonstration with what people know of them. Made once; what people then change stays theirs. */
export const growFleet = async (db: Db, si: number): Promise<void> => {
  const known = await sql`select from device where sn = any(${plan.map(({ sn }) => sn)}) limit 1`.execute(db)
  if (known.rows.length > 0) return
  const places = await findPlaces(db, si)
  // Somebody has taken a department away: what stood there is left out.
  const placed = plan.flatMap((each) => {
    const departmentId = places.get(each.place)
    return departmentId === undefined ? [] : [{ ...each, departmentId }]
  })
  await plantDevices(db, placed)
  await makeGroups(db, places)
  await giveLicences(db, placed)
  await makeCodes(db, placed)
  await giveTasks(db, placed)
  await keepSettings(db, places)
  await keepBench(db, placed)
}

const { notActivated, bound } = activationStates

const robotNames = ['Ada', 'Bolt', 'Comet', 'Dash', 'Echo', 'Fern', 'Gizmo', 'Hugo', 'Iris', 'Juno', 'Koda', 'Luna']
const spots = ['Entrance hall', 'Beside the lift', 'Level 1, east', 'Level 2, west', 'Waiting area', 'By the counter']
/** What people call it, and where it stands: for the types whose lists ask. */
const calledOf = (type: number, sn: string) => ({
  name: type === deviceTypes.robot ? robotNames[dice(sn, 'name', robotNames.length)] : null,
  location:
    type === deviceTypes.selfService || type === deviceTypes.videoPhone ? spots[dice(sn, 'spot', spots.length)] : null,
})

const plantDevices = async (db: Db, placed: readonly Placed[]) => {
  const rows = placed.map(({ sn, departmentId, type, model, batch, boxed, age }) => ({
    sn,
    departmentId,
    type,
    model,
    batch,
    age,
    status: boxed ? notActivated : bound,
    // Nobody knows it: each start gives the living ones a new one.
    hash: boxed ? null : randomBytes(32).toString('base64'),
    limit: type === 9 ? 2048 : null,
    ...calledOf(type, sn),
  }))
  await sql`insert into device (sn, department_id, device_type, model, batch_number, activation_status, credential_hash,
        traffic_limit_mb, traffic_alarm_percent, name, location, create_time)
      select u.sn, u."departmentId", u.type, u.model, u.batch, u.status, decode(u.hash, 'base64'), u.limit,
        case when u.limit is not null then 80 end, u.name, u.location, now() - u.age * interval '1 day'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(sn text, "departmentId" bigint, type smallint,
        model text, batch text, status smallint, hash text, "limit" int, name text, location text, age int)`.execute(db)
}

/** By hand from the devices of a place, and by a filter that is always true to the moment. */
const makeGroups = async (db: Db, places: ReadonlyMap<string, number>) => {
  const groups = [
    { name: 'Tills north', at: 'Northgate Retail/Stores north', type: 2, kind: 'manual', text: 'Open 8 to 20' },
    { name: 'Tills south', at: 'Northgate Retail/Stores south', type: 2, kind: 'manual', text: 'Open 9 to 21' },
    { name: 'Rotterdam robots', at: 'Meridian Logistics/Depot Rotterdam', type: 3, kind: 'manual', text: null },
    { name: 'Class phones', at: 'Riverside School', type: 4, kind: 'manual', text: 'One in each class room' },
    { name: 'Offline handhelds', at: 'Northgate Retail', type: 6, kind: 'dynamic', filter: { iotStatus: ['offline'] } },
    {
      name: 'Scanners to update',
      at: 'Meridian Logistics',
      type: 8,
      kind: 'dynamic',
      filter: { firmwareVersion: '2.9.4' },
    },
  ]
  for (const { name, at, type, kind, text, filter } of groups) {
    const departmentId = places.get(at)
    if (departmentId === undefined) continue
    await sql`with made as (
        insert into device_group (name, kind, device_type, department_id, filter, description)
        values (${name}, ${kind}, ${type}, ${departmentId}, ${filter ? JSON.stringify(filter) : null}::jsonb, ${text ?? null})
        returning id, kind)
      update device t set group_id = made.id, group_time = now() from made, department d, department top
      where made.kind = 'manual' and top.id = ${departmentId} and d.id = t.department_id and d.path <@ top.path
        and t.device_type = ${type} and t.activation_status <> ${notActivated}`.execute(db)
  }
}

/** Three of four devices in use have a licence; some run out within the month, some have run out, one in thirty was revoked. */
const giveLicences = async (db: Db, placed: readonly Placed[]) => {
  const years = (sn: string, kind: string) => {
    const fate = dice(sn, kind, 30)
    const left = fate < 3 ? 1 + dice(sn, 'left', 28) : fate < 5 ? -1 - dice(sn, 'left', 60) : 40 + dice(sn, 'left', 600)
    return { kind, sn, start: left - 730, left, type: dice(sn, 'type', 3), revoked: fate === 5 }
  }
  const used = placed.filter(({ boxed }) => !boxed)
  const rows = [
    ...used.filter(({ sn }) => dice(sn, 'licensed', 4) > 0).map(({ sn }) => years(sn, 'iot')),
    ...used
      .filter(({ type }) => type === 4)
      .map(({ sn }) => ({ ...years(sn, 'im'), corpId: 'ww4f1c7d20b8e9a3c5', chargeType: 'duration' })),
    ...used.filter(({ type }) => type === 7).map(({ sn }) => ({ ...years(sn, 'health'), interface: 'Guangdong' })),
  ]
  await sql`insert into licence (kind, device_id, type, corp_id, charge_type, interface, start_date, expiry, revoked, create_time)
    select u.kind, t.id, u.type, u."corpId", u."chargeType", u.interface, current_date + u.start, current_date + u."left", u.revoked,
      greatest(t.create_time, now() + u.start * interval '1 day')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(kind text, sn text, start int, "left" int,
      type smallint, revoked boolean, "corpId" text, "chargeType" text, interface text)
    join device t on t.sn = u.sn`.execute(db)
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** What is in its box can be activated, but for a few whose code was not used in time. */
const makeCodes = async (db: Db, placed: readonly Placed[]) => {
  const rows = placed
    .filter(({ boxed }) => boxed)
    .map(({ sn, departmentId, type }) => ({
      sn,
      departmentId,
      type,
      code: [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length]).join(''),
      left: dice(sn, 'code', 8) === 0 ? -3 : 60,
    }))
  await sql`insert into activation_code (sn, activation_code, device_type, department_id, expire_time, create_time)
    select u.sn, u.code, u.type, u."departmentId", now() + u."left" * interval '1 day', now() - interval '30 days'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(sn text, "departmentId" bigint, type smallint,
      code text, "left" int)`.execute(db)
}
