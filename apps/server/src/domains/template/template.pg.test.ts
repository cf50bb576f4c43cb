import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDevices } from '../../test/devices.ts'
import { eventually } from '../../test/mqtt.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createActs, failing, type Standing, silent, standDevice, type Temper } from '../release/release.fixture.ts'

let world: World
let person: Person
let acts: ReturnType<typeof createActs>
const path = '/api/v3/device/configuration'

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  person = await world.as('alder.admin')
  acts = createActs(person)
})
afterAll(() => world.stop())

let count = 0
const draft = (more: object = {}) => ({
  name: `Till ${++count}`,
  departmentId: world.a.id,
  systemType: 'android',
  volumeMusic: 40,
  ...more,
})
const create = (more: object = {}) => person.post(`${path}/create`, draft(more))
const add = async (more: object = {}) => {
  const made = await create(more)
  expect(made).toMatchObject({ code: 100000 })
  return Number(made.data.id)
}
const rowOf = async (id: number) =>
  ((await person.get(`${path}/list`, { ids: id })).data.rows as Record<string, unknown>[])[0]
const devicesOf = async (templateId: number) =>
  (await person.get(`${path}/device/list`, { templateId, pageSize: 100 })).data.rows as {
    sn: string
    state: string
    differs: string[]
    instead: string | null
    before: string | null
  }[]
const order = (itemId: number, sns: readonly string[], more: object = {}) => ({
  kind: 'template' as const,
  itemId,
  targets: [{ sns: [...sns] }],
  mode: 'realTime' as const,
  options: { waves: [{ percent: 100 }], bakeMinutes: 0 },
  ...more,
})
const release = (...given: Parameters<typeof order>) => acts.create(order(...given) as never)

/** Sets what it is told, and says what it had. */
const settable =
  (had: Record<string, unknown>): Temper =>
  ({ name, args }) => [
    { state: 'done', result: { items: name === 'applyTemplate' ? args.items : had, before: had, noise: 'x' } },
  ]
const ended = (id: number) =>
  eventually(
    () => acts.detail(id),
    ({ row }) => row.state === 'ended',
  )

describe('a template', () => {
  it('sets at least one item, and Wi-Fi with everything it needs', async () => {
    expect((await create({ volumeMusic: null })).code).toBe(304008)
    expect((await create({ wifi: 'on' })).code).toBe(304004)
    expect((await create({ wifi: 'on', wifiSsid: 'Till' })).code).toBe(304004)
    expect((await create({ volumeMusic: 101 })).code).toBe(100002)
    expect((await create({ brightnessMode: 'fixed' })).code).toBe(100001)
    const id = await add({ wifi: 'on', wifiSsid: 'Till', wifiSecurity: 'wpa2', wifiPassword: 'correct horse' })
    expect(await rowOf(id)).toMatchObject({ sections: ['connectivity', 'sound'], wifiSsid: 'Till', version: 1 })
    expect(JSON.stringify(await rowOf(id))).not.toContain('wifiPassword')
    expect((await person.put(`${path}/update`, { id, volumeMusic: null, wifi: null })).code).toBe(304008)
    expect((await create({ name: `till ${count}` })).code).toBe(304000)
  })

  it('for Linux has nothing that only Android knows', async () => {
    expect(await create({ systemType: 'linux', camera: 'off' })).toMatchObject({
      code: 304007,
      data: { name: 'camera' },
    })
    const id = await add({ systemType: 'linux', timeZone: 'Europe/Berlin' })
    expect((await person.put(`${path}/update`, { id, adb: 'on' })).code).toBe(304007)
    expect((await person.put(`${path}/update`, { id, volumeMusic: 10 })).code).toBe(100000)
    expect(await rowOf(id)).toMatchObject({ version: 2, systemType: 'linux' })
    expect((await person.put(`${path}/update`, { id, remark: 'Ground floor' })).code).toBe(100000)
    expect(await rowOf(id)).toMatchObject({ version: 2 })
  })

  it('seals its password for its own row, forgets it with its network, and hands it on to a copy', async () => {
    const network = { wifi: 'on', wifiSsid: 'Till', wifiSecurity: 'wpa3', wifiPassword: 'correct horse' }
    const id = await add(network)
    const copied = await person.post(`${path}/copy`, { id, name: 'Copy of it' })
    expect(copied.code).toBe(100000)
    expect((await person.post(`${path}/copy`, { id, name: 'copy of it' })).code).toBe(304000)
    const sealed = async (of: number) =>
      (
        await sql<{ sealed: string | null }>`select wifi_password as sealed from config_template
          where id = ${of}`.execute(world.db)
      ).rows[0]?.sealed
    expect(await sealed(id)).toMatch(/^v1\./)
    const device = await standDevice(world, 'T-COPY', world.a.shop, settable({}))
    const made = await release(Number(copied.data.id), [device.sn])
    await ended(Number(made.data.id))
    expect(device.told[0]?.args).toMatchObject({ wifiPassword: 'correct horse', items: { wifiSsid: 'Till' } })
    const { rows } = await sql<{ args: unknown }>`select args from device_task where command = 'applyTemplate'
      order by id desc limit 1`.execute(world.db)
    expect(JSON.stringify(rows)).not.toContain('correct horse')
    await person.put(`${path}/update`, { id, wifiSecurity: 'open' })
    expect(await sealed(id)).toBeNull()
    device.leave()
  })
})

describe('applied to devices', () => {
  let one: Standing
  let other: Standing
  beforeAll(async () => {
    one = await standDevice(world, 'T-1', world.a.shop, settable({ volumeMusic: 70 }))
    other = await standDevice(world, 'T-2', world.a.shop, settable({ volumeMusic: 5 }))
  })
  afterAll(() => {
    one.leave()
    other.leave()
  })

  it('tells what each holds, which of them drifts, and leads back to what held before', async () => {
    const id = await add({ volumeMusic: 40, brightnessMode: 'fixed', brightness: 80 })
    const made = await release(id, [one.sn, other.sn])
    expect((await ended(Number(made.data.id))).row).toMatchObject({ succeeded: 2 })
    expect(one.told.at(-1)?.args).toEqual({
      templateId: id,
      version: 1,
      items: { volumeMusic: 40, brightnessMode: 'fixed', brightness: 80 },
    })
    expect(await rowOf(id)).toMatchObject({ deviceCount: 2, differCount: 0 })

    const tell = (event: string, ts: number, items: object) =>
      one.tell({ id: event, ts, type: 'settingsChanged', data: { items } })
    await tell('louder', Date.now() + 2000, { volumeMusic: 90, nonsense: 'x', brightness: 'bright' })
    await eventually(
      () => devicesOf(id),
      (rows) => rows.some(({ state }) => state === 'differs'),
    )
    await tell('late', Date.now() - 60_000, { volumeMusic: 40 })
    await tell('other', Date.now() + 3000, { brightness: 10 })
    const rows = await eventually(
      () => devicesOf(id),
      (all) => all.some(({ differs }) => differs.length === 2),
    )
    expect(rows.find(({ sn }) => sn === one.sn)).toMatchObject({
      state: 'differs',
      differs: ['brightness', 'volumeMusic'],
      instead: 'brightness=10, volumeMusic=90',
      before: 'volumeMusic=70',
    })
    expect(rows.find(({ sn }) => sn === other.sn)).toMatchObject({ state: 'same', differs: [] })
    expect(await rowOf(id)).toMatchObject({ differCount: 1 })

    await person.put(`${path}/update`, { id, brightness: 60 })
    const outdated = (await person.get(`${path}/device/list`, { templateId: id, state: 'outdated' })).data
    expect(outdated).toMatchObject({ total: 2 })

    const back = await acts.act('rollBack', Number(made.data.id))
    expect(back.code).toBe(100000)
    await ended(Number(back.data.id))
    expect(other.told.at(-1)).toMatchObject({ name: 'undoTemplate', args: { templateId: id } })
    expect(await devicesOf(id)).toEqual([])
    expect(await release(id, [other.sn], { action: 'undo' })).toMatchObject({ code: 304015, data: { sn: other.sn } })
  })

  it('is refused where it does not fit, by the codes of templates', async () => {
    const id = await add()
    const refused = async (more: object) => (await release(id, [one.sn], more)).code
    await sql`update device_state set system_version = 'Ubuntu 24.04 LTS' where device_id = ${other.id}`.execute(
      world.db,
    )
    expect(await release(id, [other.sn])).toMatchObject({ code: 304005, data: { sn: other.sn } })
    await sql`update device_state set system_version = null where device_id = ${other.id}`.execute(world.db)
    expect((await release(9_999_999, [one.sn])).code).toBe(304001)
    expect(await refused({ targets: [] })).toBe(304003)
    expect(await refused({ mode: 'scheduled' })).toBe(304009)
    expect(await refused({ mode: 'scheduled', beginTime: '2020-01-01T00:00:00Z' })).toBe(304010)
    const many = Array.from({ length: 10_001 }, (_, at) => `MANY-${at}`)
    expect(await refused({ targets: [{ sns: many }] })).toBe(304002)
  })

  it('is not changed while devices are told, nor given twice', async () => {
    const id = await add()
    one.mind(silent)
    other.mind(failing('declined'))
    const options = { waves: [{ percent: 100 }], bakeMinutes: 0, retries: 0 }
    const whole = { targets: [{ departmentId: world.a.shop }], mode: 'offline', options, partly: true }
    const made = Number((await release(id, [], whole)).data.id)
    expect((await person.put(`${path}/update`, { id, volumeMusic: 1 })).code).toBe(304006)
    expect((await person.remove(`${path}/delete`, { ids: [id] })).code).toBe(304006)
    await addDevices(world.db, ['T-NEW'], { departmentId: world.a.shop })
    expect((await release(await add(), [], whole)).code).toBe(304012)
    expect(await release(await add(), [one.sn])).toMatchObject({ code: 304011, data: { sn: one.sn } })
    await eventually(
      () => acts.devicesOf(made),
      (rows) => rows.some(({ state }) => state === 'failed'),
    )
    expect((await acts.act('cancelDevices', made, { sns: [one.sn] })).code).toBe(304013)
    expect((await acts.act('retryDevices', made, { sns: [one.sn] })).code).toBe(304014)
    expect((await acts.act('stop', made)).code).toBe(100000)
  })
})
