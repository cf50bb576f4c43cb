import { handoverRoutes } from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepTelemetry } from '../domains/device/telemetry/packing.ts'
import { newsTold } from '../test/app.ts'
import { type Enterprise, type Person, startInstallation, type World } from '../test/world.ts'
import { type DeclaredCall, declaredCalls, fill, type Ids, type Kind, nameOf, requestOf } from './declared-calls.ts'
import { furnish } from './furnish.ts'
import { furnishLife, type Life, say } from './furnish-life.ts'

/** Ids and figures of the former enterprise lie in a range of their own, so that none of them can pass for anything else. */
const formerFrom = 7_000_000
const newFrom = 8_000_000
const former: Life = { sn: 'W-1', word: 'birch', figure: 7_123_477 }
const present: Life = { sn: 'W-1', word: 'alder', figure: 8_123_433 }
const bystander: Life = { sn: 'W-2', word: 'birch', figure: 7_222_266 }
const dayMs = 86_400_000

let world: Omit<World, 'a' | 'b'>
let a: Enterprise
let b: Enterprise
let own: Ids
let alder: Person
let harbour: Person
/** The transferred device as its new enterprise knows it. */
let arrived: number
let formerIds: { device: number; group: number; setting: number }

const basic = '/api/v3/device/basic'
const reading = declaredCalls.filter((call) => call.method === 'GET')
const ofFormer = /birch|(?<![\da-f.])7\d{6}(?![\da-f])/
const ofPresent = /alder|(?<![\da-f.])8\d{6}(?![\da-f])/

const jumpIds = async (to: number) => {
  const client = new pg.Client(world.database.owner)
  await client.connect()
  await client.query(`select setval(pg_get_serial_sequence(table_name, column_name), ${to}) from information_schema.columns
    where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval(%')
      and table_name not in (select relname from pg_class where relispartition)`)
  await client.end()
}
const send = async (call: DeclaredCall, input: Readonly<Record<string, unknown>>, token: string) =>
  (await world.app.inject({ ...requestOf(call, input), headers: { sessionid: token } })).body
const idOf = async (sn: string) =>
  (await sql<{ id: number }>`select id from device where sn = ${sn}`.execute(world.db)).rows[0]?.id as number
const spans = [dayMs / 2, 30 * dayMs, 300 * dayMs]

/** A call as it is asked about one device, by its serial number and by its id wherever it takes one; each in turn. */
const inputsAbout = (call: DeclaredCall, device: number, ids: Ids): Record<string, unknown>[] => {
  const given = (asked: string, kind: Kind) => {
    if (kind === 'device' || kind === 'robot' || kind === 'groupDevice') return device
    return call.shape[asked]?.safeParse(undefined).success ? undefined : ids[kind]
  }
  const also: Record<string, unknown> = {
    ...('pageSize' in call.shape && { pageSize: '199' }),
    ...(call.shape.sn?.safeParse('W-1').success && { sn: 'W-1' }),
  }
  const shapes = 'startTime' in call.shape && !call.shape.startTime?.safeParse(undefined).success ? spans : [0]
  return shapes.map((span) => {
    const now = Date.now() + 1_000
    const range = span
      ? { startTime: new Date(now - span).toISOString(), endTime: new Date(now).toISOString() }
      : undefined
    const names = 'names' in call.shape ? { names: ['mobileUp', 'battery'] } : {}
    return fill(call, given, { ...also, ...range, ...names })
  })
}
const plainInput = (call: DeclaredCall, ids: Ids) =>
  fill(
    call,
    (asked, kind) => (call.shape[asked]?.safeParse(undefined).success ? undefined : ids[kind]),
    'pageSize' in call.shape ? { pageSize: '199' } : {},
  )

beforeAll(async () => {
  world = await startInstallation()
  a = await world.found('alder')
  own = await furnish(world, a)
  // What is told a moment later would count as the other enterprise's.
  await newsTold(world.db)
  await jumpIds(formerFrom)
  b = await world.found('birch')
  formerIds = await furnishLife(world, b, former)
  await furnishLife(world, b, bystander)
  await newsTold(world.db)
  await jumpIds(newFrom)
  alder = await world.as('alder.admin')
  harbour = await world.as('harbour.admin')
  const answer = await harbour.post(`${basic}/transferBatch`, { sns: ['W-1'], departmentId: a.shop })
  expect(answer).toMatchObject({ code: 100000, data: { moved: 1 } })
  arrived = await idOf('W-1')
})
afterAll(() => world.stop())

describe('a device that was handed over by another enterprise', () => {
  it('is there, as the maker built it, with its licence to connect, and must be activated anew', async () => {
    const { data } = await alder.get(`${basic}/detail`, { sn: 'W-1' })
    expect(data).toMatchObject({
      row: { sn: 'W-1', deviceType: 3, batchNumber: 'B1', activationStatus: 1, iotStatus: 'offline', groupName: null },
      values: {},
      apps: [],
      kiosk: null,
      licence: { state: 'expiring' },
    })
    const timeline = await alder.get(`${basic}/timeline`, { sn: 'W-1' })
    expect((timeline.data.rows as { kind: string }[]).map(({ kind }) => kind)).toEqual(['registered'])
  })

  it.each(reading.map((call) => [nameOf(call), call] as const))('%s shows nothing of its past', async (_, call) => {
    for (const input of [...inputsAbout(call, arrived, own), plainInput(call, own)])
      expect(ofFormer.exec(await send(call, input, alder.token))?.[0]).toBeUndefined()
  })

  it('stands in the log of the enterprise it came to, without a word of where it came from', async () => {
    const { data } = await alder.get('/api/v1/gateway/op-log/list', { module: 'device', type: 'action' })
    const lines = (data.opLogs as { route: string }[]).filter(({ route }) => route === handoverRoutes.arrived)
    expect(lines).toMatchObject([{ description: 'W-1: … → alder shop', username: 'harbour.admin', outside: true }])
  })

  it('is answered for by its old number as if there had never been one', async () => {
    const { data } = await alder.get(`${basic}/list`, { ids: formerIds.device })
    expect(data).toMatchObject({ total: 0 })
    const spread = await alder.get(`${basic}/list`, { app: 'birch' })
    expect(spread.data).toMatchObject({ total: 0 })
  })

  it('shows nothing of what it says later of the time before, not even once it is packed', async () => {
    const before = Date.now() - 3_600_000
    const late = { ...former, word: 'birch late' }
    await say(world, arrived, late, before)
    // A message that was on its way for the device it used to be.
    await say(world, formerIds.device, late, Date.now())
    const askedAll = async () => {
      for (const call of reading)
        for (const input of inputsAbout(call, arrived, own))
          expect([nameOf(call), ofFormer.exec(await send(call, input, alder.token))?.[0]]).toEqual([
            nameOf(call),
            undefined,
          ])
    }
    await askedAll()
    const { data } = await alder.get(`${basic}/detail`, { sn: 'W-1' })
    expect(data).toMatchObject({ values: {}, row: { battery: null, charging: 'unknown', robotState: null } })
    await keepTelemetry(world.db, new Date(Date.now() + 2 * 3_600_000))
    await askedAll()
  })

  it('shows what it says from then on', async () => {
    await furnishLife(world, a, present)
    const { data } = await alder.get(`${basic}/detail`, { sn: 'W-1' })
    expect(data).toMatchObject({ values: { mobileUp: { value: 8_123_433 } }, apps: [{ package: 'alder' }] })
    const history = await alder.get(`${basic}/history`, {
      sn: 'W-1',
      names: 'mobileUp',
      startTime: new Date(Date.now() - dayMs / 2).toISOString(),
      endTime: new Date(Date.now() + 1_000).toISOString(),
    })
    expect(JSON.stringify(history.data)).toContain('8123433')
  })
})

describe('the enterprise it came from', () => {
  it('sees nothing of its new life', async () => {
    const birch = await world.as('birch.admin')
    const ids = { ...own, ...formerIds, deviceGroup: formerIds.group, deviceSetting: formerIds.setting }
    for (const call of reading) {
      if (call.path.includes('op-log')) continue
      for (const input of [...inputsAbout(call, arrived, ids), plainInput(call, ids)]) {
        const text = (await send(call, input, birch.token)).replaceAll(String(arrived), 'asked')
        const asked = Object.values(input).flat().map(String)
        const found = ofPresent.exec(text)?.[0]
        expect([nameOf(call), found && !asked.includes(found) ? found : undefined]).toEqual([nameOf(call), undefined])
      }
    }
  })

  it('keeps the results of what it asked of the device, by its serial number', async () => {
    const birch = await world.as('birch.admin')
    const { data } = await birch.get('/api/v3/device/queryLog/list', { sn: 'W-1' })
    expect(data.total).toBe(3)
    const history = await birch.get('/api/v3/device/setting/history/list', { settingId: formerIds.setting })
    expect(JSON.stringify(history.data)).toContain('W-1')
  })

  it('no longer counts it among the devices of its settings', async () => {
    const birch = await world.as('birch.admin')
    const settings = await birch.get('/api/v3/device/setting/detail', { id: formerIds.setting })
    expect(settings.data).toMatchObject({ devices: [] })
  })

  it('finds in its operation log what was known of the device when it left', async () => {
    const birch = await world.as('birch.admin')
    const { data } = await birch.get('/api/v1/gateway/op-log/list', { module: 'device', type: 'action' })
    const [line] = data.opLogs as { id: number; description: string; username: string }[]
    expect(line).toMatchObject({
      description: 'W-1: birch works → …',
      username: 'harbour.admin',
      outside: true,
      route: handoverRoutes.left,
    })
    const detail = await birch.get('/api/v1/gateway/op-log/detail', { id: line?.id })
    expect(detail.data.before).toMatchObject({
      devices: [
        {
          sn: 'W-1',
          department: 'birch shop',
          name: 'birch',
          values: { mobileUp: 7_123_477 },
          apps: ['birch birch'],
          events: [{ type: 'fault', text: 'birch' }],
        },
      ],
    })
    expect(JSON.stringify(detail.data)).not.toContain('alder')
  })

  it('keeps its other devices as they were', async () => {
    const birch = await world.as('birch.admin')
    const { data } = await birch.get(`${basic}/detail`, { sn: 'W-2' })
    expect(data).toMatchObject({ values: { mobileUp: { value: 7_222_266 } }, row: { groupName: 'birch group of W-2' } })
  })
})

describe('a device that stays in its enterprise', () => {
  it('keeps its past wherever it moves', async () => {
    const birch = await world.as('birch.admin')
    const before = await birch.get(`${basic}/timeline`, { sn: 'W-2' })
    await birch.post(`${basic}/transferBatch`, { sns: ['W-2'], departmentId: b.office })
    const { data } = await birch.get(`${basic}/timeline`, { sn: 'W-2' })
    expect(data.rows as object[]).toEqual(expect.arrayContaining(before.data.rows as object[]))
    const detail = await birch.get(`${basic}/detail`, { sn: 'W-2' })
    expect(detail.data).toMatchObject({ values: { mobileUp: { value: 7_222_266 } }, apps: [{ package: 'birch' }] })
  })
})
