import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../platform/migrate.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { syncMenus } from './menu-sync.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
let database: TestDatabase

/** What the version before shipped, as far as it is asked about here: key, directory, order, English name. */
const before = [
  ['organisation', null, 20, 'Organisation'],
  ['organisationList', 'organisation', 10, 'Organisations'],
  ['device', null, 30, 'Device management'],
  ['devices', 'device', 10, 'Devices'],
  ['deviceBatch', 'device', 20, 'Batch operations'],
  ['robots', 'device', 40, 'Robot devices'],
  ['videoPhones', 'device', 60, 'Video phones'],
  ['iotLicences', 'device', 110, 'IoT licences'],
  ['deviceTask', null, 40, 'Device tasks'],
  ['deviceTasks', 'deviceTask', 10, 'Device tasks'],
  ['activation', null, 50, 'Activation'],
  ['activationCodes', 'activation', 10, 'Activation codes'],
  ['iot', null, 60, 'IoT management'],
  ['system', null, 70, 'System'],
  ['menus', 'system', 30, 'Menus'],
] as const
const formerNames: Record<string, [string, string]> = {
  organisation: ['机构管理', '組織管理'],
  device: ['设备管理', '裝置管理'],
  devices: ['设备列表', '裝置清單'],
  deviceTask: ['设备任务', '裝置工單'],
  activation: ['激活管理', '啟用管理'],
  iot: ['物联网管理', '物聯網管理'],
  system: ['系统管理', '系統管理'],
}

beforeAll(async () => {
  database = await testDatabase()
  const owner = new pg.Client(database.owner)
  await owner.connect()
  await owner.query('drop schema public cascade; create schema public; grant usage on schema public to campanile_app')
  await owner.end()
  const folder = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < '202611160100')
  for (const name of names) await copyFile(join(migrations, name), join(folder, name))
  await migrate(database.owner, folder)
  await rm(folder, { recursive: true })
  const { db } = database
  for (const [key, directory, order, en] of before) {
    const [cn, tw] = formerNames[key] ?? [en, en]
    await sql`insert into menu (key, parent_id, type, name, order_num) values (${key},
      (select id from menu where key = ${directory}), ${directory ? 1 : 0},
      ${JSON.stringify({ en, 'zh-cn': cn, 'zh-tw': tw })}::jsonb, ${order})`.execute(db)
  }
  // What people have made of it.
  await sql`update menu set name = jsonb_set(name, '{en}', '"Places"') where key = 'organisation'`.execute(db)
  await sql`insert into menu (type, name, order_num) values (0, '{"en":"Ours","zh-cn":"Ours","zh-tw":"Ours"}', 5)`.execute(
    db,
  )
  await sql`update menu set parent_id = (select id from menu where key is null) where key = 'videoPhones'`.execute(db)
  await sql`update menu set visible = false where key in ('robots', 'deviceTask')`.execute(db)
  await migrate(database.owner, migrations)
  await db.transaction().execute(syncMenus)
})
afterAll(() => database.drop())

/** `directory/name`, and whether it is hidden itself. */
const placeOf = async (key: string) => {
  const { rows } = await sql<{ place: string; visible: boolean }>`select
      concat(coalesce(above.name->>'en', ''), '/', m.name->>'en') as place, m.visible
    from menu m left join menu above on above.id = m.parent_id where m.key = ${key}`.execute(database.db)
  return `${rows[0]?.place}${rows[0]?.visible ? '' : ' (hidden)'}`
}

it('an upgrade puts what nobody has touched into the areas', async () => {
  expect(await placeOf('devices')).toBe('Fleet/All devices')
  expect(await placeOf('deviceFleet')).toBe('Devices/Fleet')
  expect(await placeOf('activation')).toBe('Devices/Rights')
  expect(await placeOf('activationCodes')).toBe('Rights/Activation codes')
  expect(await placeOf('iotLicences')).toBe('Licences/IoT licences')
  expect(await placeOf('system')).toBe('/Admin')
  const { rows } = await sql<{ name: string }>`select name->>'en' as name from menu where parent_id is null
    order by order_num, id`.execute(database.db)
  expect(rows.map(({ name }) => name)).toEqual([
    'Ours',
    'Home',
    'Devices',
    'Alerts',
    'Apps & firmware',
    'Places',
    'Insight',
    'Admin',
  ])
})

it('an upgrade keeps what people renamed, moved and hid', async () => {
  expect(await placeOf('organisation')).toBe('/Places')
  expect(await placeOf('videoPhones')).toBe('Ours/Video phones')
  expect(await placeOf('robots')).toBe('By type/Robot devices (hidden)')
})

it('an upgrade hides nothing that was in sight, and shows nothing that was not', async () => {
  // The directory that was hidden is a group now, and stays hidden with what it held.
  expect(await placeOf('deviceTask')).toBe('Devices/Work (hidden)')
  expect(await placeOf('deviceTasks')).toBe('Work/Device tasks')
  expect(await placeOf('deviceBatch')).toBe('Devices/Batch operations')
})

it('a second start changes nothing', async () => {
  const all = () => sql`select * from menu order by id`.execute(database.db)
  const { rows } = await all()
  await database.db.transaction().execute(syncMenus)
  expect((await all()).rows).toEqual(rows)
})
