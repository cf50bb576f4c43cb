import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyManifest } from '@campanile/manifest'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDevice } from '../../test/devices.ts'
import { uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import {
  createActs,
  type ReleaseInput,
  releaseOf,
  type Standing,
  standDevice,
  thorough,
} from '../release/release.fixture.ts'

const path = '/api/v3/device/apk/packages'
const content = readFileSync(join(import.meta.dirname, '../../../../../packages/apk/test/fixtures/v1-v2-v3.apk'))

let world: World
let alder: Person
let birch: Person
let till: Standing
let itemId: number

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
  till = await standDevice(world, 'TILL-1', world.a.shop, thorough)
  const { id: file } = await uploadWhole(alder, content, 'kiosk.apk', 'package')
  const { rows } = await sql<{ id: number }>`select min(id) as id from app_category`.execute(world.db)
  const made = await alder.post(`${path}/create`, { file, appCate: rows[0]?.id, departmentId: world.a.id })
  itemId = Number(made.data.id)
})
afterAll(async () => {
  till.leave()
  await world.stop()
})

describe('an app that is released', () => {
  it('is released from the screen of many devices with a permission of its own, which other kinds have not', async () => {
    const run = async (who: Person, more: object = {}) =>
      (await who.post('/api/v3/release/batch', { ...releaseOf(itemId, ['NOBODY'], { kind: 'app' }), ...more })).code
    expect(await run(alder)).toBe(30103)
    expect(await run(await world.as('alder.auditor'))).toBe(100013)
    expect(await run(alder, { kind: 'promotion' })).toBe(100002)
  })

  it('is promised by a manifest, fetched by a link and counted', async () => {
    const acts = createActs(alder)
    const id = await acts.begin(releaseOf(itemId, ['TILL-1'], { kind: 'app', options: { bakeMinutes: 0, health: {} } }))
    await acts.until(id, ({ row }) => row.state === 'ended')
    const { name, args } = till.told.at(-1) as { name: string; args: Record<string, unknown> }
    expect({ name, ...args }).toMatchObject({
      name: 'installApp',
      package: 'com.example.kiosk',
      action: 'install',
      version: '3.2.0',
      file: { size: content.length },
    })
    const { releaseKey } = (await world.request('GET', '/device/v1/releaseKey')).data
    const asked = { now: new Date(), kind: 'app', model: 'any' } as const
    const promised = verifyManifest(String(releaseKey), String(args.manifest), asked)
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(promised).toMatchObject({ ok: true, manifest: { name: 'com.example.kiosk', version: '3.2.0', sha256 } })
    const fetched = await world.app.inject({ method: 'GET', url: (args.file as { url: string }).url })
    expect(fetched.rawPayload.equals(content)).toBe(true)
    const [app] = (await alder.get(`${path}/list`)).data.apks as object[]
    expect(app).toMatchObject({ publishCount: 1, installCount: 1 })
    const [history] = (await alder.get('/api/v3/device/apk/histories/list')).data.apkHistorys as object[]
    expect(history).toMatchObject({ itemName: 'Harbour Kiosk', action: 'install', progress: 'success', succeeded: 1 })
    const [counted] = (await alder.get('/api/v3/device/apk/statistics/list')).data.rows as object[]
    expect(counted).toMatchObject({ itemKey: 'com.example.kiosk', versions: 1, releases: 1, succeeded: 1, rate: 100 })
  })

  it('is written down by device: fetched, or why it could not be', async () => {
    const acts = createActs(alder)
    till.mind(() => [
      { state: 'progress', step: 'downloading', progress: 40 },
      { state: 'failed', error: 'downloadFailed' },
    ])
    const once = { kind: 'app', options: { bakeMinutes: 0, health: {}, retries: 0 } } as const
    const id = await acts.begin(releaseOf(itemId, ['TILL-1'], once))
    await acts.until(id, ({ row }) => row.failed === 1)
    till.mind(thorough)
    const { rows } = (await alder.get('/api/v3/device/apk/download/list', { sn: 'TILL-1', sort: '-time' })).data
    expect(rows).toMatchObject([
      { sn: 'TILL-1', appName: 'Harbour Kiosk', version: '3.2.0', result: 'failure', reason: 'downloadFailed' },
      { sn: 'TILL-1', userName: null, result: 'success', reason: null },
    ])
    await acts.act('stop', id)
  })

  it('is not sent to a device that has that version', async () => {
    await sql`insert into device_app (device_id, package, name, version) values
      (${till.id}, 'com.example.kiosk', 'Kiosk', '3.2.0')`.execute(world.db)
    const answer = await createActs(alder).create(releaseOf(itemId, ['TILL-1'], { kind: 'app' }))
    expect(answer).toMatchObject({ code: 53029, data: { sn: 'TILL-1' } })
  })

  it('is released by nobody it was not permitted to', async () => {
    const other = await createActs(birch).create(releaseOf(itemId, ['TILL-1'], { kind: 'app' }))
    expect(other).toMatchObject({ code: 53006 })
  })

  it('is refused with the codes of apps', async () => {
    const acts = createActs(alder)
    const refused = async (given: Partial<ReleaseInput>) =>
      (await acts.create(releaseOf(itemId, ['TILL-1'], { kind: 'app', action: 'disable', ...given }))).code
    expect(await refused({ targets: [] })).toBe(53010)
    const many = Array.from({ length: 10_001 }, (_, at) => `MANY-${at}`)
    expect(await refused({ targets: [{ sns: many }] })).toBe(53003)
    expect(await refused({ mode: 'scheduled' })).toBe(53011)
    expect(await refused({ mode: 'scheduled', beginTime: '2001-01-01T00:00:00Z' })).toBe(53012)
    const id = await acts.begin(
      releaseOf(itemId, [], {
        kind: 'app',
        action: 'disable',
        targets: [{ departmentId: world.a.shop }],
        mode: 'scheduled',
        beginTime: '2999-01-01T00:00:00Z',
      }),
    )
    expect(await refused({})).toBe(53084)
    await addDevice(world.db, { sn: 'TILL-2', departmentId: world.a.shop })
    const shop = { targets: [{ departmentId: world.a.shop }], without: ['TILL-1'] }
    expect(await refused({ ...shop, mode: 'offline' })).toBe(53088)
    expect((await acts.act('cancelDevices', id, { sns: ['TILL-1'] })).code).toBe(53022)
    expect((await acts.act('retryDevices', id, { sns: ['TILL-1'] })).code).toBe(53023)
    await acts.act('stop', id)
    await acts.until(id, ({ row }) => row.state === 'ended')
  })

  it('is only published where that was wanted: written down, and nobody is told', async () => {
    const acts = createActs(alder)
    await addDevice(world.db, { sn: 'TILL-3', departmentId: world.a.shop })
    const told = till.told.length
    const published = { kind: 'app', installMode: 'publishOnly' } as const
    // Away or not makes no difference to what nobody is told.
    const id = await acts.begin(releaseOf(itemId, ['TILL-3'], published))
    await acts.until(id, ({ row }) => row.state === 'ended')
    expect((await acts.detail(id)).row).toMatchObject({
      progress: 'success',
      published: 1,
      waiting: 0,
      told: 0,
      succeeded: 0,
    })
    expect(await acts.devicesOf(id)).toMatchObject([{ sn: 'TILL-3', state: 'published', told: true }])
    expect(till.told).toHaveLength(told)
    // It holds up no release, and is none that could be tried again.
    const second = await acts.begin(releaseOf(itemId, ['TILL-3'], { kind: 'app', mode: 'offline' }))
    await acts.act('stop', second)
    await acts.until(second, ({ row }) => row.state === 'ended')
    const [app] = (await alder.get(`${path}/list`)).data.apks as object[]
    expect(app).toMatchObject({ installCount: 1 })
  })

  it('is released by its number or by the name of its package', async () => {
    const acts = createActs(alder)
    const order = {
      targets: [{ sns: ['TILL-1'] }],
      action: 'disable',
      mode: 'scheduled',
      beginTime: '2999-01-01T00:00:00Z',
    }
    const asked = (more: object) => alder.post(`${path}/release`, { ...order, ...more })
    expect(await asked({})).toMatchObject({ code: 53009 })
    expect(await asked({ packageName: 'com.example.none' })).toMatchObject({ code: 53006 })
    const made = await asked({ packageName: 'com.example.kiosk' })
    expect(made).toMatchObject({ code: 100000, data: { total: 1 } })
    expect((await acts.detail(Number(made.data.id))).row).toMatchObject({ itemId, action: 'disable' })
    await acts.act('stop', Number(made.data.id))
    await acts.until(Number(made.data.id), ({ row }) => row.state === 'ended')
    expect(await alder.get(`${path}/list`, { pageSize: 200 })).toMatchObject({ code: 53002 })
  })

  it('is not deleted while it is being released', async () => {
    const acts = createActs(alder)
    const id = await acts.begin(
      releaseOf(itemId, ['TILL-1'], {
        kind: 'app',
        action: 'clearData',
        mode: 'scheduled',
        beginTime: '2999-01-01T00:00:00Z',
      }),
    )
    expect(await alder.remove(`${path}/delete`, { ids: [itemId] })).toMatchObject({ code: 53016 })
    await acts.act('stop', id)
    await acts.until(id, ({ row }) => row.state === 'ended')
    expect(await alder.remove(`${path}/delete`, { ids: [itemId] })).toMatchObject({ code: 100000 })
  })
})
