import { deviceTimeline, previewRelease, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../test/mqtt.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import {
  addText,
  createActs,
  failing,
  obedient,
  type ReleaseInput,
  releaseOf,
  type Standing,
  silent,
  standDevice,
  type Temper,
  thorough,
} from './release.fixture.ts'

let world: World
let person: Person
let acts: ReturnType<typeof createActs>
let text: number
let fleet: Standing[] = []
let made = 0

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  person = await world.as('alder.admin')
  acts = createActs(person)
})
afterAll(() => world.stop())
beforeEach(async () => {
  text = await addText(person, world.a.id)
})
afterEach(() => {
  for (const device of fleet) device.leave()
  fleet = []
})

/** One after the other, so that waves take them in this order. */
const stand = async (tempers: readonly Temper[], departmentId = world.a.shop) => {
  const devices: Standing[] = []
  for (const temper of tempers)
    devices.push(await standDevice(world, `R-${String(++made).padStart(4, '0')}`, departmentId, temper))
  fleet.push(...devices)
  return devices
}
const sns = (devices: readonly Standing[]) => devices.map(({ sn }) => sn)
const order = (devices: readonly Standing[], given: Partial<ReleaseInput> = {}) =>
  releaseOf(text, sns(devices), { ...given, options: { retries: 0, ...given.options } })
/** One at first, then half, then all. */
const inThree = { waves: [{ devices: 1 }, { percent: 50 }, { percent: 100 }], bakeMinutes: 0 }
const ended = ({ row }: { row: { state: string } }) => row.state === 'ended'
const paused = ({ row }: { row: { state: string } }) => row.state === 'paused'
const dueNow = (id: number) =>
  sql`update release_device set due_time = now() where release_id = ${id} and due_time is not null`.execute(world.db)

/** Figures of a release are those of its devices, whichever way they are counted. */
const addsUp = async (id: number) => {
  const { row, waves } = await acts.detail(id)
  const { rows } = await sql<{ state: string; n: number }>`select state, count(*)::int as n from release_device
    where release_id = ${id} group by 1`.execute(world.db)
  const counted = Object.fromEntries(rows.map(({ state, n }) => [state, n]))
  for (const state of [
    'published',
    'downloading',
    'upgrading',
    'succeeded',
    'failed',
    'pendingRetry',
    'cancelled',
  ] as const)
    expect(row[state], state).toBe(counted[state] ?? 0)
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(row.total)
  expect(waves.reduce((sum, { size }) => sum + size, 0)).toBe(row.total)
}

describe('a release', () => {
  it('goes to its devices wave by wave, each told once, and its steps, figures and timelines agree', async () => {
    const devices = await stand([thorough, thorough, obedient, obedient])
    const id = await acts.begin(order(devices, { options: inThree }))
    const { row, waves } = await acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'success', taskProgress: 'ended', total: 4, succeeded: 4, told: 4, wave: 3 })
    expect(waves.map(({ state, size, succeeded }) => ({ state, size, succeeded }))).toEqual([
      { state: 'done', size: 1, succeeded: 1 },
      { state: 'done', size: 1, succeeded: 1 },
      { state: 'done', size: 2, succeeded: 2 },
    ])
    expect(devices.map(({ told }) => told.map(({ name }) => name))).toEqual(devices.map(() => ['showPromotion']))
    expect(devices[0]?.told[0]?.args).toMatchObject({ promotionId: text, text: 'Everything must go', speed: 'normal' })
    await addsUp(id)
    const steps = (await acts.stepsOf(id)).reverse()
    expect(steps.filter(({ sn }) => sn === null).map(({ what, wave }) => [what, wave])).toEqual([
      ['created', null],
      ['begun', null],
      ['waveBegun', 1],
      ['waveEnded', 1],
      ['waveBegun', 2],
      ['waveEnded', 2],
      ['waveBegun', 3],
      ['waveEnded', 3],
      ['ended', null],
    ])
    const ofFirst = steps.filter(({ sn }) => sn === devices[0]?.sn).map(({ what }) => what)
    expect(ofFirst).toEqual(['told', 'downloading', 'upgrading', 'succeeded'])
    expect(await acts.stateOf(id, devices[0]?.sn ?? '')).toMatchObject({
      percent: 100,
      newVersion: '2.0.1',
      attempt: 1,
    })
    for (const { sn } of devices) {
      const timeline = (await person.get(deviceTimeline.path, { sn })).data.rows as { data: Record<string, unknown> }[]
      expect(timeline.filter(({ data }) => data.releaseId === id)).toMatchObject([{ data: { state: 'done' } }])
    }
    // What a release tells is the release's own: nobody finds it among the tasks of devices.
    expect((await person.get('/api/v3/device/task/list', { sn: devices[0]?.sn })).data.total).toBe(0)
    expect((await person.get('/api/v3/release/list', { sn: devices[0]?.sn })).data).toMatchObject({ total: 1 })
  })

  it('stops by itself where too many of a wave fail, goes on when it is resumed, and ends what was fixed and retried', async () => {
    const devices = await stand([obedient, failing('notEnoughSpace: 96 MB free'), failing('downloadFailed'), obedient])
    const options = { ...inThree, waves: [{ devices: 1 }, { percent: 75 }, { percent: 100 }], failPercent: 20 }
    const id = await acts.begin(order(devices, { options }))
    const stopped = await acts.until(id, paused)
    expect(stopped.row).toMatchObject({ stateReason: 'tooManyFailed', wave: 2, progress: 'inProgress' })
    expect(stopped.because).toMatchObject({ size: 2, percent: 20 })
    await eventually(
      () => acts.detail(id),
      ({ row }) => row.failed === 2,
    )
    const { reasons } = await acts.detail(id)
    expect(reasons.map(({ reason, count }) => [reason, count])).toEqual([
      ['downloadFailed', 1],
      ['notEnoughSpace', 1],
    ])
    expect(reasons[1]).toMatchObject({ detail: '96 MB free', sns: [devices[1]?.sn] })
    // The last wave has heard nothing.
    expect(devices[3]?.told).toEqual([])
    for (const device of devices) device.mind(obedient)
    expect(await acts.act('retryFailed', id)).toMatchObject({ code: 100000, data: { retried: 2 } })
    expect((await acts.stateOf(id, devices[1]?.sn ?? ''))?.state).toBe('pendingRetry')
    expect((await acts.act('resume', id)).code).toBe(100000)
    const { row } = await acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'success', succeeded: 4, failed: 0 })
    await addsUp(id)
    const told = (await person.get('/api/v1/oauth/notifications')).data.rows as { title: string }[]
    expect(told.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['A release has paused by itself', 'Release finished']),
    )
  })

  it('holds nothing against itself twice that a person let pass', async () => {
    const devices = await stand([failing('installFailed'), obedient, obedient])
    const id = await acts.begin(order(devices, { options: { ...inThree, failCount: 1, successPercent: 100 } }))
    expect((await acts.until(id, paused)).row.stateReason).toBe('tooManyFailed')
    expect((await acts.act('pause', id)).code).toBe(100021)
    await acts.act('resume', id)
    expect((await acts.until(id, paused)).row.stateReason).toBe('tooFewSucceeded')
    await acts.act('resume', id)
    const { row } = await acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'partialSuccess', succeeded: 2, failed: 1 })
  })

  it('tries again by itself after a while, and waits no longer for a device than its state may last', async () => {
    const [device] = (await stand([
      (_, times) => (times === 1 ? [{ state: 'failed', error: 'linkExpired' }] : []),
    ])) as [Standing]
    const id = await acts.begin(order([device], { options: { retries: 1 } }))
    const planned = await acts.until(id, ({ row }) => row.pendingRetry === 1)
    expect(Date.parse(planned.nextTry ?? '') - Date.now()).toBeGreaterThan(30_000)
    await dueNow(id)
    await eventually(
      async () => device.told.length,
      (count) => count === 2,
    )
    await acts.until(id, ({ row }) => row.published === 1 && row.told === 1)
    await dueNow(id)
    const { row } = await acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'failed', failed: 1 })
    expect(await acts.stateOf(id, device.sn)).toMatchObject({ reason: 'timeOutPublished', attempt: 2 })
    // What it says afterwards changes nothing, and neither does what it says again of the first try.
    for (const { id: message } of device.told) await device.say(message, { state: 'done' })
    const late = await eventually(
      async () =>
        (await sql<{ reason: string }>`select reason from command where sn = ${device.sn}`.execute(world.db)).rows,
      (rows) => rows.some(({ reason }) => reason === 'doneAfterAll'),
    )
    expect(late).toHaveLength(2)
    expect(await acts.stateOf(id, device.sn)).toMatchObject({ state: 'failed' })
    await addsUp(id)
  })

  it('is paused, skipped and stopped by people: what has begun comes to its end, and nobody else is told', async () => {
    const devices = await stand([silent, silent, obedient])
    const id = await acts.begin(order(devices, { options: inThree }))
    await acts.until(id, ({ row }) => row.told === 1)
    expect((await acts.act('pause', id)).code).toBe(100000)
    expect((await acts.detail(id)).row).toMatchObject({ state: 'paused', stateReason: 'byPerson' })
    expect((await acts.act('skipWave', id)).code).toBe(100021)
    await acts.act('resume', id)
    expect((await acts.act('skipWave', id)).code).toBe(100000)
    await acts.until(id, ({ row }) => row.wave === 2 && row.told === 2)
    const [first] = devices
    const [message] = first?.told ?? []
    await first?.say(message?.id ?? '', { state: 'progress', step: 'upgrading', progress: 5 })
    await acts.until(id, ({ row }) => row.upgrading === 1)
    const stop = await acts.act('stop', id)
    expect(stop).toMatchObject({ code: 100000, data: { cancelled: 2 } })
    expect((await acts.detail(id)).row).toMatchObject({ state: 'stopping', upgrading: 1, cancelled: 2 })
    expect((await acts.act('retryFailed', id)).code).toBe(100021)
    await first?.say(message?.id ?? '', { state: 'done' })
    const { row, waves } = await acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'stopped', succeeded: 1, cancelled: 2 })
    expect(waves.map(({ state }) => state)).toEqual(['done', 'done', 'stopped'])
    expect(devices[2]?.told).toEqual([])
    await addsUp(id)
  })

  it('cancels single devices only while they upgrade or wait for a retry, and retries only those that failed', async () => {
    const devices = await stand([silent, failing('downloadFailed'), silent, failing('signatureDiffers')])
    const [waiting, retrying, upgrading, failed] = devices as [Standing, Standing, Standing, Standing]
    const id = await acts.begin(
      order(devices, { options: { waves: [{ percent: 100 }], retries: 1, failPercent: 100 } }),
    )
    await acts.until(id, ({ row }) => row.pendingRetry === 1 && row.failed === 1 && row.told === 4)
    await eventually(
      async () => upgrading.told.length,
      (count) => count > 0,
    )
    await upgrading.say(upgrading.told[0]?.id ?? '', { state: 'acknowledged', step: 'upgrading' })
    await acts.until(id, ({ row }) => row.upgrading === 1)
    const cancel = (...some: Standing[]) => acts.act('cancelDevices', id, { sns: sns(some) })
    const retry = (...some: Standing[]) => acts.act('retryDevices', id, { sns: sns(some) })
    expect(await cancel(upgrading, waiting)).toMatchObject({ code: 301014, data: { sn: waiting.sn } })
    expect(await cancel(failed)).toMatchObject({ code: 301014, data: { sn: failed.sn } })
    expect(await retry(failed, retrying)).toMatchObject({ code: 301015, data: { sn: retrying.sn } })
    expect(await retry(upgrading)).toMatchObject({ code: 301015, data: { sn: upgrading.sn } })
    expect((await acts.detail(id)).row).toMatchObject({ upgrading: 1, pendingRetry: 1, failed: 1, cancelled: 0 })
    expect(await cancel(upgrading, retrying)).toMatchObject({ code: 100000, data: { cancelled: 2 } })
    failed.mind(obedient)
    expect(await retry(failed)).toMatchObject({ code: 100000, data: { retried: 1 } })
    await acts.until(id, ({ row }) => row.succeeded === 1)
    await waiting.say(waiting.told[0]?.id ?? '', { state: 'done' })
    const { row } = await acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'partialSuccess', succeeded: 2, cancelled: 2, failed: 0 })
    // After the end a device that was cancelled says it was done: nobody is told so.
    await upgrading.say(upgrading.told[0]?.id ?? '', { state: 'done' })
    expect(await acts.stateOf(id, upgrading.sn)).toMatchObject({ state: 'cancelled' })
    expect(await retry(upgrading)).toMatchObject({ code: 301015 })
    await addsUp(id)
  })

  it('begins anew when what failed is retried after its end', async () => {
    const devices = await stand([failing('installFailed')])
    const id = await acts.begin(order(devices))
    expect((await acts.until(id, ended)).row).toMatchObject({ failed: 1, progress: 'failed' })
    devices[0]?.mind(obedient)
    await acts.act('retryFailed', id)
    const { row } = await acts.until(id, (now) => ended(now) && now.row.succeeded === 1)
    expect(row.progress).toBe('success')
    expect((await acts.stepsOf(id)).map(({ what }) => what)).toContain('reopened')
    expect((await acts.act('retryFailed', id)).code).toBe(100021)
  })

  it('is rolled back on whoever it has reached, by a release of its own', async () => {
    const devices = await stand([obedient, obedient])
    const id = await acts.begin(order(devices))
    await acts.until(id, ended)
    const back = await acts.act('rollBack', id)
    expect(back.code).toBe(100000)
    const { row } = await acts.until(Number(back.data.id), ended)
    expect(row).toMatchObject({ action: 'hide', progress: 'success', total: 2 })
    expect(devices.map(({ told }) => told.map(({ name }) => name))).toEqual(
      devices.map(() => ['showPromotion', 'hidePromotion']),
    )
    expect((await acts.act('rollBack', Number(back.data.id))).code).toBe(100021)
  })
})

describe('before anybody is told', () => {
  it('says who would be hit, who would not and why, and how it would go on', async () => {
    const [there, busy] = (await stand([obedient, silent])) as [Standing, Standing]
    const running = await acts.begin(order([busy]))
    const { data, code } = await person.post(
      previewRelease.path,
      order([there, busy], { targets: [{ sns: [there.sn, busy.sn, 'NOBODY'] }] }),
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
    await acts.act('stop', running)
  })

  it('refuses what could not be meant, with the codes of its kind', async () => {
    const [device] = (await stand([silent])) as [Standing]
    const refused = async (given: Partial<ReleaseInput>) => (await acts.create(order([device], given))).code
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
    expect((await acts.create(order([device], { targets: [{ departmentId: world.b.id }] }))).code).toBe(301005)
    const foreign = await world.as('birch.admin')
    expect((await foreign.post('/api/v3/release/create', order([device]))).code).toBe(301006)
    expect((await (await world.as('alder.auditor')).post('/api/v3/release/create', order([device]))).code).toBe(100013)
  })

  it('needs devices that are there for now, and waits for those that are away where it may', async () => {
    const [device] = (await stand([obedient])) as [Standing]
    device.leave()
    await eventually(
      async () => (await person.post(previewRelease.path, order([device]))).data,
      ({ refused }) => (refused as { code: number }[]).some(({ code }) => code === 30104),
    )
    expect((await acts.create(order([device]))).code).toBe(30104)
    const id = await acts.begin(order([device], { mode: 'offline' }))
    await acts.until(id, ({ row }) => row.told === 1)
    expect((await acts.detail(id)).row).toMatchObject({ state: 'running', published: 1 })
    await acts.act('stop', id)
    await acts.until(id, ended)
  })

  it('goes to a part where that may be, and tells who was left out', async () => {
    const [device] = (await stand([obedient])) as [Standing]
    const given = order([device], { targets: [{ sns: [device.sn, 'NOBODY'] }] })
    expect(await acts.create(given)).toMatchObject({ code: 30103, data: { sn: 'NOBODY' } })
    const made = await acts.create({ ...given, partly: true })
    expect(made).toMatchObject({
      code: 100028,
      data: { total: 1, refused: 1, refusedReasons: [{ code: 30103, count: 1 }] },
    })
    const { row } = await acts.until(Number(made.data.id), ended)
    expect(row).toMatchObject({ total: 1, refused: 1, progress: 'success' })
  })
})

describe('one at a time', () => {
  it('is in progress for a device and a kind, also when two requests race', async () => {
    const [device] = (await stand([silent])) as [Standing]
    const answers = await Promise.all(Array.from({ length: 6 }, () => acts.create(order([device]))))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 100000)).toHaveLength(1)
    const others = answers.filter(({ code }) => code !== 100000)
    // An account has two heavy calls under way at once; whoever got through was told who is busy.
    expect(others.every(({ code }) => code === 301012 || code === 100005)).toBe(true)
    const told = others.find(({ code }) => code === 301012)
    if (told) expect(told.message.endsWith(`: ${device.sn}`)).toBe(true)
    const again = await acts.create(order([device]))
    expect(again).toMatchObject({ code: 301012, data: { sn: device.sn } })
    const { rows } = await sql`select from release_device where sn = ${device.sn}`.execute(world.db)
    expect(rows).toHaveLength(1)
    const [won] = answers.filter(({ code }) => code === 100000)
    await acts.act('stop', Number(won?.data.id))
    await acts.until(Number(won?.data.id), ended)
    const id = await acts.begin(order([device]))
    await acts.act('stop', id)
  })

  it('is in progress for a department and a kind while it lasts', async () => {
    const office = world.a.office
    const [device] = (await stand([silent], office)) as [Standing]
    const targets = [{ departmentId: office }]
    const id = await acts.begin(order([device], { targets }))
    const [other] = (await stand([silent], office)) as [Standing]
    expect(await acts.create(order([other], { targets, without: [device.sn] }))).toMatchObject({
      code: 301013,
      data: { departmentId: office },
    })
    await acts.act('stop', id)
    await acts.until(id, ended)
    const next = await acts.begin(order([other], { targets }))
    await acts.act('stop', next)
  })
})

describe('at its time', () => {
  it('tells each device when its own clocks show the hour', async () => {
    const [here] = (await stand([obedient])) as [Standing]
    const [there] = (await stand([obedient], world.a.office)) as [Standing]
    await sql`update department set time_zone = 'Asia/Tokyo' where id = ${world.a.shop}`.execute(world.db)
    await sql`update department set time_zone = 'America/New_York' where id = ${world.a.office}`.execute(world.db)
    // An hour that has just begun in Tokyo and comes in New York half a day later.
    const hour = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'medium' })
      .format(new Date())
      .replace(' ', 'T')
    const id = await acts.begin(
      order([here, there], {
        mode: 'scheduled',
        beginTime: hour,
        zone: 'device',
        options: { waves: [{ percent: 100 }] },
      }),
    )
    const { row } = await acts.until(id, ({ row: now }) => now.succeeded === 1)
    expect(row).toMatchObject({ state: 'running', waiting: 1 })
    expect(here.told).toHaveLength(1)
    expect(there.told).toEqual([])
    await sql`update release_device set begin_time = now() where release_id = ${id}`.execute(world.db)
    await acts.until(id, ended)
    await sql`update department set time_zone = null where id = any(${[world.a.shop, world.a.office]})`.execute(
      world.db,
    )
  })

  it('waits for the maintenance window of each device', async () => {
    const [device] = (await stand([obedient])) as [Standing]
    const options = { maintenance: true }
    expect((await acts.create(order([device], { options }))).code).toBe(93038)
    const zone = 'UTC'
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const open = (from: number, to: number) =>
      sql`update department set maintenance_from = ${at(from)}, maintenance_to = ${at(to)}, time_zone = ${zone}
        where id = ${world.a.id}`.execute(world.db)
    await open(5, 6)
    const id = await acts.begin(order([device], { options }))
    await acts.until(id, ({ row }) => row.wave === 1)
    expect(device.told).toEqual([])
    await open(-1, 1)
    const { row } = await acts.until(id, ended)
    expect(row.progress).toBe('success')
    expect(device.told[0]?.expires).toBeLessThan(Date.now() + 61 * 60_000)
    await sql`update department set maintenance_from = null, maintenance_to = null, time_zone = null
      where id = ${world.a.id}`.execute(world.db)
  })
})

it('stands still where devices that succeeded are not well afterwards', async () => {
  const devices = await stand([obedient, obedient])
  const id = await acts.begin(
    order(devices, {
      options: { waves: [{ devices: 1 }, { percent: 100 }], bakeMinutes: 60, health: { noCrash: true } },
    }),
  )
  await acts.until(id, ({ waves }) => waves[0]?.state === 'baking')
  const [first] = devices as [Standing]
  await sql`insert into device_event (device_id, event_id, time, type, level, received)
    values (${first.id}, 'e1', now(), 'appCrashed', 'major', now())`.execute(world.db)
  await sql`update release_wave set bake_until = now(), end_time = end_time - interval '5 minutes'
    where release_id = ${id} and end_time is not null`.execute(world.db)
  const { row, because } = await acts.until(id, paused)
  expect(row.stateReason).toBe('notHealthy')
  expect(because).toEqual({ unhealthy: 1, size: 1 })
  await acts.act('resume', id)
  await acts.until(id, ended)
})

it('groups failures by reason, and what devices say in words of their own by these words', async () => {
  const tempers = ['no paper', 'no paper', 'ink is empty', 'installFailed: 1', 'installFailed: 2'].map(failing)
  const id = await acts.begin(order(await stand(tempers), { options: { waves: [{ percent: 100 }], failPercent: 100 } }))
  const { reasons } = await acts.until(id, ended)
  expect(reasons.map(({ reason, detail, count }) => [reason, detail, count])).toEqual([
    // Whichever of the two was heard first.
    ['installFailed', expect.stringMatching(/^[12]$/), 2],
    ['unknown', 'no paper', 2],
    ['unknown', 'ink is empty', 1],
  ])
})

it('fails on a device that is deleted while it waits for it', async () => {
  const [device] = (await stand([silent])) as [Standing]
  const id = await acts.begin(order([device], { mode: 'offline' }))
  await acts.until(id, ({ row }) => row.told === 1)
  expect((await person.remove('/api/v3/device/basic/delete', { sn: [device.sn] })).code).toBe(100000)
  await acts.until(id, ({ row }) => row.failed === 1)
  expect(await acts.stateOf(id, device.sn)).toMatchObject({ state: 'failed', reason: 'deviceRemoved' })
})

it('shows people of another enterprise nothing of it, whatever they ask', async () => {
  const [device] = (await stand([obedient])) as [Standing]
  const id = await acts.begin(order([device]))
  await acts.until(id, ended)
  const stranger = createActs(await world.as('birch.admin'))
  for (const action of ['pause', 'resume', 'stop', 'skipWave', 'retryFailed', 'rollBack'])
    expect((await stranger.act(action, id)).code, action).toBe(100017)
  expect(await stranger.devicesOf(id)).toEqual([])
  expect(await stranger.stepsOf(id)).toEqual([])
  expect(protocol.replySteps).toEqual(['downloading', 'upgrading'])
})
