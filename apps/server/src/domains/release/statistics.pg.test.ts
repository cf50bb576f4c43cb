import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDeviceStates, type ReleaseDeviceState } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSheet } from '../../platform/sheet/read.ts'
import { addRole, addUser } from '../../test/app.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'

const statistics = '/api/v3/device/ota/statistics'
const results = '/api/v3/device/ota/result'
const january = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' }

let dataDir: string
let world: World
let admin: Person

/** A release that has ended, as the engine would have left it: so many devices in each state. */
const addRelease = async (
  day: string,
  { item = 1, name = 'T30_4G_10_2.0.1_1.img', kind = 'firmware', action = 'upgrade', at = world.a.shop } = {},
  devices: Partial<Record<ReleaseDeviceState, number>> = {},
) => {
  const { rows } = await sql<{ id: number }>`insert into release (kind, item_id, item_name, item_version, action,
      department_id, mode, options, state, wave, wave_count, create_time, look_time)
    values (${kind}, ${item}, ${name}, '2.0.1', ${action}, ${world.a.id}, 'offline', '{}', 'ended', 1, 1, ${day}, 'infinity')
    returning id`.execute(world.db)
  const id = rows[0]?.id as number
  for (const [state, count] of Object.entries(devices))
    await sql`insert into release_device (release_id, kind, sn, department_id, wave, state, old_version)
      select ${id}, ${kind}, ${`S-${state}-`} || n, ${at}, 1, ${state}, '1.' || n % 2
      from generate_series(1, ${count}::int) n`.execute(world.db)
  return id
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-statistics-'))
  world = await startWorld({ roles: ['api', 'worker'], dataDir })
  admin = await world.as('alder.admin')
  await addRelease('2026-01-10', {}, { succeeded: 7, failed: 2, downloading: 1, published: 3, cancelled: 4 })
  await addRelease('2026-01-20', {}, { succeeded: 1, failed: 1, pendingRetry: 2, upgrading: 1 })
  await addRelease('2026-02-20', { name: 'T30_4G_10_2.0.1_1b.img', at: world.a.office }, { succeeded: 5 })
  await addRelease('2026-01-05', { item: 2, name: 'R7_4G_10_1.0_1.img' }, { published: 2 })
  // Of another kind, under the same number.
  await addRelease('2026-01-05', { kind: 'promotion', action: 'show' }, { succeeded: 9 })
})
afterAll(async () => {
  await world.stop()
  await rm(dataDir, { recursive: true })
})

type Counted = Record<'total' | 'succeeded' | 'failed' | 'pending' | 'cancelled' | 'itemKey', number>
const list = async (person: Person, query: object = {}) =>
  (await person.get(`${statistics}/list`, { sort: 'itemName', ...query })).data.rows as object[] as Counted[]

it('counts what became of each item in a period, and of all', async () => {
  expect(await list(admin)).toMatchObject([
    { itemName: 'R7_4G_10_1.0_1.img', model: 'R7', releases: 1, total: 2, pending: 2, succeeded: 0, rate: null },
    // Called as it was when it was released last.
    { itemName: 'T30_4G_10_2.0.1_1b.img', releases: 3, total: 27, succeeded: 13, failed: 3, pending: 7, rate: 81.3 },
  ])
  expect(await list(admin, { ...january, model: 'T30' })).toMatchObject([
    {
      itemName: 'T30_4G_10_2.0.1_1.img',
      itemVersion: '2.0.1',
      model: 'T30',
      releases: 2,
      versions: 1,
      total: 22,
      succeeded: 8,
      failed: 3,
      pending: 7,
      cancelled: 4,
      rate: 72.7,
    },
  ])
  expect((await admin.get(`${statistics}/total`, january)).data).toMatchObject({ total: 2 })
  expect(await list(await world.as('birch.admin'))).toEqual([])
})

it.each([{}, january])('leads to exactly the devices it has counted: %o', async (period) => {
  for (const row of await list(admin, period)) {
    const counted = async (state?: readonly string[]) =>
      (await admin.get(`${results}/list`, { ...period, itemKey: row.itemKey, ...(state && { state }) })).data.total
    expect(await counted()).toBe(row.total)
    expect(await counted(['succeeded'])).toBe(row.succeeded)
    expect(await counted(['failed'])).toBe(row.failed)
    expect(await counted(openDeviceStates)).toBe(row.pending)
    expect(await counted(['cancelled'])).toBe(row.cancelled)
  }
})

it('counts for somebody only the devices where they may', async () => {
  const roleId = await addRole(world.db, {
    departmentId: world.a.shop,
    permissions: ['iot:otaStat:list', 'iot:otaHistory:detail'],
  })
  await addUser(world.db, { username: 'clerk', departmentId: world.a.id, roleIds: [roleId] })
  const clerk = await world.as('clerk')
  const [row] = (await list(clerk, { model: 'T30' })) as [Counted]
  const reached = (await clerk.get(`${results}/list`, { itemKey: row.itemKey })).data.total
  expect({ total: row.total, reached }).toEqual({ total: 22, reached: 22 })
})

const exported = async (path: string, body: object) => {
  const { fileId } = (await admin.post(`${path}/export`, { sort: 'itemName', ...body })).data
  const state = async () =>
    (await sql<{ state: string }>`select state from export_file where id = ${fileId}`.execute(world.db)).rows[0]?.state
  await expect.poll(state, { timeout: 20_000 }).toBe('complete')
  const file = await world.app.inject({
    url: `/api/v1/exportFileLogs/download?id=${fileId}`,
    headers: { sessionid: admin.token },
  })
  return (await readSheet(file.rawPayload)).rows.slice(1).map(({ cells }) => cells)
}

it('exports the figures that are shown, also of chosen rows', async () => {
  const columns = ['itemName', 'rate', 'total', 'succeeded', 'failed', 'pending']
  const shown = await list(admin, january)
  const expected = shown.map((row) => columns.map((name) => row[name as 'total']))
  const asText = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(String))
  expect(asText(await exported(statistics, { columns, filters: january }))).toEqual(asText(expected))
  const ids = [(shown[1] as unknown as { id: number }).id]
  expect(asText(await exported(statistics, { columns, flag: 1, ids, filters: january }))).toEqual(
    asText(expected.slice(1)),
  )
})

it('tells of a release what its devices had, and tries chosen devices of several releases again', async () => {
  const [history] = (await admin.get('/api/v3/device/ota/histories/list', { model: 'T30', ...january })).data
    .otaHistorys as object[]
  expect(history).toMatchObject({ model: 'T30', fromVersions: '1.0, 1.1', itemVersion: '2.0.1' })
  const failed = (await admin.get(`${results}/list`, { state: ['failed'] })).data.rows as { id: number }[]
  const [open] = (await admin.get(`${results}/list`, { state: ['published'] })).data.rows as { id: number }[]
  // Devices that have gone since cannot be tried again.
  expect(await admin.post(`${results}/retry`, { ids: failed.map(({ id }) => id) })).toMatchObject({ code: 63017 })
  expect(await admin.post(`${results}/cancel`, { ids: [open?.id] })).toMatchObject({ code: 63016 })
})
