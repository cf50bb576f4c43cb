import { previewRelease, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { eventually } from '../../test/mqtt.ts'
import { createActs, obedient, type ReleaseInput, type Standing, silent } from './release.fixture.ts'
import { ended, stageReleases } from './release.stage.ts'

const stage = stageReleases()

describe('before anybody is told', () => {
  it('says who would be hit, who would not and why, and how it would go on', async () => {
    const [there, busy] = (await stage.stand([obedient, silent])) as [Standing, Standing]
    const running = await stage.acts.begin(stage.order([busy]))
    const { data, code } = await stage.person.post(
      previewRelease.path,
      stage.order([there, busy], { targets: [{ sns: [there.sn, busy.sn, 'NOBODY'] }] }),
    )
    expect(code).toBe(100000)
    expect(data).toMatchObject({
      item: { name: 'Sale', version: null, bytes: null },
      total: 3,
      receiving: 1,
      online: 1,
      current: 0,
      organisations: [{ name: 'alder shop', devices: 1 }],
      waves: [{ devices: 1, bakeMinutes: 0 }],
      first: [{ sn: there.sn, online: true }],
    })
    const refused = data.refused as { code: number; sns: string[] }[]
    expect(refused.map(({ code: each, sns: some }) => [each, ...some].join()).sort()).toEqual([
      `301012,${busy.sn}`,
      '30103,NOBODY',
    ])
    await stage.acts.act('stop', running)
  })

  it('refuses what could not be meant, with the codes of its kind', async () => {
    const [device] = (await stage.stand([silent])) as [Standing]
    const refused = async (given: Partial<ReleaseInput>) => (await stage.acts.create(stage.order([device], given))).code
    expect(await refused({ targets: [] })).toBe(301005)
    expect(await refused({ targets: [{ sns: [] }] })).toBe(301005)
    expect(await refused({ itemId: 999_999 })).toBe(301006)
    expect(await refused({ mode: 'scheduled' })).toBe(301010)
    expect(await refused({ mode: 'scheduled', beginTime: '2020-01-01T00:00:00Z' })).toBe(301011)
    expect(await refused({ mode: 'scheduled', beginTime: '2020-01-01T00:00:00', zone: 'organisation' })).toBe(301011)
    expect(await refused({ mode: 'scheduled', beginTime: '2999-01-01T00:00:00' })).toBe(100002)
    expect(await refused({ mode: 'scheduled', beginTime: '2999-01-01T00:00:00Z', zone: 'device' })).toBe(100002)
    expect(await refused({ action: 'explode' })).toBe(100002)
    expect(await refused({ installMode: 'silent' })).toBe(100002)
    expect(await refused({ options: { wifiOnly: true } })).toBe(100002)
    expect(await refused({ action: 'hide' })).toBe(301008)
    const many = Array.from({ length: 10_001 }, (_, at) => `N-${at}`)
    expect(await refused({ targets: [{ sns: many }] })).toBe(301009)
    expect(
      (await stage.acts.create(stage.order([device], { targets: [{ departmentId: stage.world.b.id }] }))).code,
    ).toBe(301005)
    const foreign = await stage.world.as('birch.admin')
    expect((await foreign.post('/api/v3/release/create', stage.order([device]))).code).toBe(301006)
    expect(
      (await (await stage.world.as('alder.auditor')).post('/api/v3/release/create', stage.order([device]))).code,
    ).toBe(100013)
  })

  it('needs devices that are there for now, and waits for those that are away where it may', async () => {
    const [device] = (await stage.stand([obedient])) as [Standing]
    device.leave()
    await eventually(
      async () => (await stage.person.post(previewRelease.path, stage.order([device]))).data,
      ({ refused }) => (refused as { code: number }[]).some(({ code }) => code === 30104),
    )
    expect((await stage.acts.create(stage.order([device]))).code).toBe(30104)
    const id = await stage.acts.begin(stage.order([device], { mode: 'offline' }))
    await stage.acts.until(id, ({ row }) => row.told === 1)
    expect((await stage.acts.detail(id)).row).toMatchObject({ state: 'running', published: 1 })
    await stage.acts.act('stop', id)
    await stage.acts.until(id, ended)
  })

  it('goes to a part where that may be, and tells who was left out', async () => {
    const [device] = (await stage.stand([obedient])) as [Standing]
    const given = stage.order([device], { targets: [{ sns: [device.sn, 'NOBODY'] }] })
    expect(await stage.acts.create(given)).toMatchObject({ code: 30103, data: { sn: 'NOBODY' } })
    const made = await stage.acts.create({ ...given, partly: true })
    expect(made).toMatchObject({
      code: 100028,
      data: { total: 1, refused: 1, refusedReasons: [{ code: 30103, count: 1 }] },
    })
    const { row } = await stage.acts.until(Number(made.data.id), ended)
    expect(row).toMatchObject({ total: 1, refused: 1, progress: 'success' })
  })
})

describe('one at a time', () => {
  it('is in progress for a device and a kind, also when two requests race', async () => {
    const [device] = (await stage.stand([silent])) as [Standing]
    const answers = await Promise.all(Array.from({ length: 6 }, () => stage.acts.create(stage.order([device]))))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 100000)).toHaveLength(1)
    const others = answers.filter(({ code }) => code !== 100000)
    // An account has two heavy calls under way at once; whoever got through was told who is busy.
    expect(others.every(({ code }) => code === 301012 || code === 100005)).toBe(true)
    const told = others.find(({ code }) => code === 301012)
    if (told) expect(told.message.endsWith(`: ${device.sn}`)).toBe(true)
    const again = await stage.acts.create(stage.order([device]))
    expect(again).toMatchObject({ code: 301012, data: { sn: device.sn } })
    const { rows } = await sql`select from release_device where sn = ${device.sn}`.execute(stage.world.db)
    expect(rows).toHaveLength(1)
    const [won] = answers.filter(({ code }) => code === 100000)
    await stage.acts.act('stop', Number(won?.data.id))
    await stage.acts.until(Number(won?.data.id), ended)
    const id = await stage.acts.begin(stage.order([device]))
    await stage.acts.act('stop', id)
  })

  it('is in progress for a department and a kind while it lasts', async () => {
    const office = stage.world.a.office
    const [device] = (await stage.stand([silent], office)) as [Standing]
    const targets = [{ departmentId: office }]
    const id = await stage.acts.begin(stage.order([device], { targets }))
    const [other] = (await stage.stand([silent], office)) as [Standing]
    expect(await stage.acts.create(stage.order([other], { targets, without: [device.sn] }))).toMatchObject({
      code: 301013,
      data: { departmentId: office },
    })
    await stage.acts.act('stop', id)
    await stage.acts.until(id, ended)
    const next = await stage.acts.begin(stage.order([other], { targets }))
    await stage.acts.act('stop', next)
  })
})

describe('at its time', () => {
  it('tells each device when its own clocks show the hour', async () => {
    const [here] = (await stage.stand([obedient])) as [Standing]
    const [there] = (await stage.stand([obedient], stage.world.a.office)) as [Standing]
    await sql`update department set time_zone = 'Asia/Tokyo' where id = ${stage.world.a.shop}`.execute(stage.world.db)
    await sql`update department set time_zone = 'America/New_York' where id = ${stage.world.a.office}`.execute(
      stage.world.db,
    )
    // An hour that has just begun in Tokyo and comes in New York half a day later.
    const hour = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'medium' })
      .format(new Date())
      .replace(' ', 'T')
    const id = await stage.acts.begin(
      stage.order([here, there], {
        mode: 'scheduled',
        beginTime: hour,
        zone: 'device',
        options: { waves: [{ percent: 100 }] },
      }),
    )
    const { row } = await stage.acts.until(id, ({ row: now }) => now.succeeded === 1)
    expect(row).toMatchObject({ state: 'running', waiting: 1 })
    expect(here.told).toHaveLength(1)
    expect(there.told).toEqual([])
    await sql`update release_device set begin_time = now() where release_id = ${id}`.execute(stage.world.db)
    await stage.acts.until(id, ended)
    await sql`update department set time_zone = null where id = any(${[stage.world.a.shop, stage.world.a.office]})`.execute(
      stage.world.db,
    )
  })

  it('waits for the maintenance window of each device', async () => {
    const [device] = (await stage.stand([obedient])) as [Standing]
    const options = { maintenance: true }
    expect((await stage.acts.create(stage.order([device], { options }))).code).toBe(93038)
    const zone = 'UTC'
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const open = (from: number, to: number) =>
      sql`update department set maintenance_from = ${at(from)}, maintenance_to = ${at(to)}, time_zone = ${zone}
        where id = ${stage.world.a.id}`.execute(stage.world.db)
    await open(5, 6)
    const id = await stage.acts.begin(stage.order([device], { options }))
    await stage.acts.until(id, ({ row }) => row.wave === 1)
    expect(device.told).toEqual([])
    await open(-1, 1)
    const { row } = await stage.acts.until(id, ended)
    expect(row.progress).toBe('success')
    expect(device.told[0]?.expires).toBeLessThan(Date.now() + 61 * 60_000)
    await sql`update department set maintenance_from = null, maintenance_to = null, time_zone = null
      where id = ${stage.world.a.id}`.execute(stage.world.db)
  })
})

it('shows people of another enterprise nothing of it, whatever they ask', async () => {
  const [device] = (await stage.stand([obedient])) as [Standing]
  const id = await stage.acts.begin(stage.order([device]))
  await stage.acts.until(id, ended)
  const stranger = createActs(await stage.world.as('birch.admin'))
  for (const action of ['pause', 'resume', 'stop', 'skipWave', 'retryFailed', 'rollBack'])
    expect((await stranger.act(action, id)).code, action).toBe(100017)
  expect(await stranger.devicesOf(id)).toEqual([])
  expect(await stranger.stepsOf(id)).toEqual([])
  expect(protocol.replySteps).toEqual(['downloading', 'upgrading'])
})
