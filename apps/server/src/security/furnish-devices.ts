import { sql } from 'kysely'
import type { Enterprise, World } from '../test/world.ts'

/** A device with everything that can hang on one, as its life would have left it. Its serial number is the word itself. */
export const furnishDevices = async (
  { db }: Pick<World, 'db'>,
  { word, id, shop, admin: adminId }: Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin'>,
) => {
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const group = await one(sql`insert into device_group (name, device_type, department_id)
    values (${`${word} group`}, 3, ${id}) returning id`)
  const device =
    await one(sql`insert into device (sn, department_id, device_type, batch_number, model, name, group_id, group_time)
    values (${word}, ${shop}, 3, ${word}, ${`${word} model`}, ${word}, ${group}, now()) returning id`)
  const [videoPhone = 0, selfService = 0] = await Promise.all(
    [4, 5].map((type) =>
      one(sql`insert into device (sn, department_id, device_type, batch_number, location)
        values (${`${word}-${type}`}, ${shop}, ${type}, ${word}, ${word}) returning id`),
    ),
  )
  await sql`update device_state set firmware_version = ${word}, public_ip = ${word} where device_id = ${device}`.execute(
    db,
  )
  await sql`insert into device_app (device_id, package, version) values (${device}, ${word}, '1')`.execute(db)
  // Under the word that walkers fill in where they know of no better name.
  await sql`insert into device_event (device_id, event_id, time, type, level, text, received)
    values (${device}, 'Sample', now(), 'fault', 'major', ${word}, now())`.execute(db)
  const ownName = await one(sql`insert into own_name (department_id, name) values (${id}, ${word}) returning id`)
  await sql`insert into own_point (device_id, name_id, minute, ts, value)
    values (${device}, ${ownName}, '2026-01-01T12:00:00Z', ${Date.UTC(2026, 0, 1, 12)}, 1)`.execute(db)
  await sql`insert into refused_connection (sn, address, reason, time, department_id)
    values (${word}, ${word}, 'revoked', now(), ${id})`.execute(db)
  await sql`insert into app_traffic (time, device_id, department_id, package, wifi_up)
    values (date_trunc('hour', now()), ${device}, ${shop}, ${word}, 1)`.execute(db)
  const code = await one(sql`insert into activation_code (sn, activation_code, department_id)
    values (${word}, ${word}, ${id}) returning id`)
  const licences = await Promise.all(
    ['iot', 'im', 'health'].map((kind) =>
      one(sql`insert into licence (kind, device_id, corp_id, licence_no, interface, start_date, expiry)
        values (${kind}, ${device}, ${word}, ${word}, ${word}, current_date, current_date + 10) returning id`),
    ),
  )
  const [iotLicence = 0, imLicence = 0, healthLicence = 0] = licences
  const setting = await one(sql`insert into device_setting (name, department_id, version)
    values (${`${word} setting`}, ${id}, 1) returning id`)
  await sql`insert into device_setting_version (setting_id, version, items) values (${setting}, 1, '{"volume":1}')`.execute(
    db,
  )
  const task =
    await one(sql`insert into device_task (command, name, department_id, creator_id, origin_kind, origin_id, origin_version)
    values ('configure', ${`${word} task`}, ${id}, ${adminId}, 'deviceSetting', ${setting}, 1) returning id`)
  const command = await one(sql`insert into command (task_id, device_id, sn, department_id, command, state, expires)
    values (${task}, ${device}, ${word}, ${shop}, 'configure', 'failed', now() + interval '1 hour') returning id`)
  const change =
    await one(sql`insert into setting_change (setting_id, command_id, department_id, item, old_value, new_value)
    values (${setting}, ${command}, ${shop}, 'volume', ${word}, '1') returning id`)
  const broker = await one(sql`insert into device_task (origin_kind, command, name, department_id, creator_id)
    values ('brokerTask', 'custom', ${`${word} message`}, ${id}, ${adminId}) returning id`)
  const [brokerSuccess = 0, brokerFailure = 0] = await Promise.all(
    ['done', 'failed'].map((state) =>
      one(sql`insert into command (task_id, device_id, sn, department_id, command, state, expires, end_time)
        values (${broker}, ${device}, ${word}, ${shop}, 'custom', ${state}, now() + interval '1 hour', now())
        returning id`),
    ),
  )
  const bench = await one(sql`insert into test_model (model, sn, command, department_id)
    values (${`${word} model`}, ${word}, 'reboot', ${id}) returning id`)
  await sql`insert into device_activity (period, start, department_id, active, total, distributed)
    values (2, date_trunc('day', now()), ${id}, 1, 1, 1)`.execute(db)
  return {
    device,
    robot: device,
    groupDevice: device,
    videoPhone,
    selfService,
    deviceGroup: group,
    activationCode: code,
    iotLicence,
    imLicence,
    healthLicence,
    deviceSetting: setting,
    deviceTask: task,
    taskDevice: command,
    settingHistory: change,
    queryLog: command,
    brokerTask: broker,
    brokerSuccess,
    brokerFailure,
    testModel: bench,
  }
}
