import { sql } from 'kysely'
import { appendEvents, pointOf, writeStates } from '../domains/device/index.ts'
import { appendPoints, type EventRow } from '../domains/device/ingest.store.ts'
import { packPoints } from '../domains/device/telemetry/packing.ts'
import type { Enterprise, World } from '../test/world.ts'

const hourMs = 3_600_000

/** What a device says is told apart by this number, which also lies in the other enterprise's range of ids. */
export interface Life {
  readonly sn: string
  readonly word: string
  readonly figure: number
}

/** What somebody's device says of itself at a time, as the ingest writes it. */
export const say = async ({ db }: Pick<World, 'db'>, id: number, { word, figure }: Life, ts: number) => {
  const values = {
    battery: { v: figure % 100, t: ts },
    charging: { v: 'charging', t: ts },
    robotState: { v: 'working', t: ts },
    printer: { v: word, t: ts },
    mobileUp: { v: figure, t: ts },
  }
  const event: EventRow['event'] = { id: `${word} ${ts}`, ts, type: 'fault', level: 'major', text: word }
  await writeStates(db, [{ id, values: values as never, seen: Date.now() }])
  await appendEvents(db, [{ id, received: new Date().toISOString(), event }])
  const point = pointOf({ ts, mobileUp: figure, battery: figure % 100 })
  if (!point) throw new Error('nothing of it is kept')
  await appendPoints(db, new Date(), [{ id, point }])
  return point
}

/** A whole life of a device in an enterprise: all that may be remembered of it, named after the enterprise. */
export const furnishLife = async (
  world: Pick<World, 'db'>,
  { shop, id: enterprise, admin }: Pick<Enterprise, 'shop' | 'id' | 'admin'>,
  life: Life,
) => {
  const { db } = world
  const { sn, word } = life
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const group = await one(sql`insert into device_group (name, device_type, department_id)
    values (${`${word} group of ${sn}`}, 3, ${enterprise}) returning id`)
  const device = await one(sql`insert into device (sn, department_id, device_type, batch_number) values
    (${sn}, ${shop}, 3, 'B1') on conflict (sn) do update set batch_number = 'B1' returning id`)
  await sql`update device set group_id = ${group}, group_time = now(), name = ${word}, location = ${word},
    description = ${word}, traffic_limit_mb = 7654321, traffic_alarm_percent = 50, credential_hash = '\\x01',
    activation_status = 2 where id = ${device}`.execute(db)
  await sql`update device_state set iot_status = 'online', connected_at = now(), public_ip = ${word}, private_ip = ${word},
    firmware_version = ${word}, system_version = ${word}, agent = ${word}, capabilities = ${[word]}, locked = true,
    kiosk = ${JSON.stringify({ mode: word, packages: [word] })}::jsonb, last_seen = now() where device_id = ${device}`.execute(
    db,
  )
  await sql`insert into device_app (device_id, package, version) values (${device}, ${word}, ${word})`.execute(db)
  await sql`insert into presence_log (device_id, time, online, address) values (${device}, now(), true, ${word})`.execute(
    db,
  )
  const point = await say(world, device, life, Date.now() - 2_000)
  // The same in hours and days that are packed already.
  const packed = [26 * hourMs, 40 * 24 * hourMs].map((ago) => ({ ...point, ts: point.ts - ago }))
  await packPoints(db, [{ deviceId: device, points: packed }], 0)
  await sql`insert into refused_connection (sn, address, reason, time, department_id)
    values (${sn}, ${word}, 'revoked', now(), ${enterprise})`.execute(db)
  await sql`insert into activation_code (sn, activation_code, department_id, used_time)
    values (${sn}, ${word}, ${enterprise}, now())`.execute(db)
  for (const kind of ['iot', 'im', 'health'])
    await sql`insert into licence (kind, device_id, corp_id, licence_no, interface, start_date, expiry)
      values (${kind}, ${device}, ${word}, ${word}, ${word}, current_date, current_date + 10)
      on conflict (kind, device_id) where not revoked do nothing`.execute(db)
  const setting = await one(sql`insert into device_setting (name, department_id, version)
    values (${`${word} setting of ${sn}`}, ${enterprise}, 1) returning id`)
  await sql`insert into device_setting_version (setting_id, version, items) values (${setting}, 1, '{"volume":1}')`.execute(
    db,
  )
  await sql`insert into device_setting_value (device_id, item, value) values (${device}, 'volume', ${JSON.stringify(word)}::jsonb)
    on conflict do nothing`.execute(db)
  const file = await one(sql`insert into export_file (name, type, sn, state, department_id, private, stored_as)
    values (${`${word}.log`}, 'deviceLog', ${sn}, 'complete', ${shop}, false, 'nowhere') returning id`)
  for (const [kind, command] of [
    ['deviceSetting', 'configure'],
    ['deviceTask', 'powerSchedule'],
    ['brokerTask', 'custom'],
  ]) {
    const [origin, version] = kind === 'deviceSetting' ? [setting, 1] : [null, null]
    const task =
      await one(sql`insert into device_task (origin_kind, command, name, args, department_id, creator_id, origin_id, origin_version)
      values (${kind}, ${command}, ${word}, ${JSON.stringify({ on: word })}::jsonb, ${enterprise}, ${admin}, ${origin}, ${version}) returning id`)
    const told =
      await one(sql`insert into command (task_id, device_id, sn, department_id, command, state, result, expires, end_time, file_id)
      values (${task}, ${device}, ${sn}, ${shop}, ${command}, 'done', ${JSON.stringify({ word, afterwards: 'x'.repeat(6_000) })}::jsonb,
        now() + interval '1 hour', now(), ${file}) returning id`)
    await sql`insert into setting_change (setting_id, command_id, department_id, item, old_value, new_value)
      values (${setting}, ${told}, ${shop}, 'volume', ${word}, '1')`.execute(db)
  }
  await sql`insert into door_record (time, device_id, sn, what, department_id, event_id)
    values (now(), ${device}, ${sn}, 'opened', ${shop}, ${word})`.execute(db)
  await sql`insert into test_model (model, sn, command, department_id) values (${word}, ${sn}, 'reboot', ${enterprise})`.execute(
    db,
  )
  return { device, group, setting }
}
