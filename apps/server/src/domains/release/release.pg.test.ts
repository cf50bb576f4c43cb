import { deviceTimeline } from '@campanile/contract'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { eventually } from '../../test/mqtt.ts'
import { failing, obedient, type Standing, silent, thorough } from './release.fixture.ts'
import { ended, paused, sns, stageReleases } from './release.stage.ts'

const stage = stageReleases()
/** One at first, then half, then all. */
const inThree = { waves: [{ devices: 1 }, { percent: 50 }, { percent: 100 }], bakeMinutes: 0 }

describe('a release', () => {
  it('goes to its devices wave by wave, each told once, and its steps, figures and timelines agree', async () => {
    const devices = await stage.stand([thorough, thorough, obedient, obedient])
    const id = await stage.acts.begin(stage.order(devices, { options: inThree }))
    const { row, waves } = await stage.acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'success', taskProgress: 'ended', total: 4, succeeded: 4, told: 4, wave: 3 })
    expect(waves.map(({ state, size, succeeded }) => ({ state, size, succeeded }))).toEqual([
      { state: 'done', size: 1, succeeded: 1 },
      { state: 'done', size: 1, succeeded: 1 },
      { state: 'done', size: 2, succeeded: 2 },
    ])
    expect(devices.map(({ told }) => told.map(({ name }) => name))).toEqual(devices.map(() => ['showPromotion']))
    expect(devices[0]?.told[0]?.args).toMatchObject({
      promotionId: stage.text,
      text: 'Everything must go',
      speed: 'normal',
    })
    await stage.addsUp(id)
    const steps = (await stage.acts.stepsOf(id)).reverse()
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
    expect(await stage.acts.stateOf(id, devices[0]?.sn ?? '')).toMatchObject({
      percent: 100,
      newVersion: '2.0.1',
      attempt: 1,
    })
    for (const { sn } of devices) {
      const timeline = (await stage.person.get(deviceTimeline.path, { sn })).data.rows as {
        data: Record<string, unknown>
      }[]
      expect(timeline.filter(({ data }) => data.releaseId === id)).toMatchObject([{ data: { state: 'done' } }])
    }
    // What a release tells is the release's own: nobody finds it among the tasks of devices.
    expect((await stage.person.get('/api/v3/device/task/list', { sn: devices[0]?.sn })).data.total).toBe(0)
    expect((await stage.person.get('/api/v3/release/list', { sn: devices[0]?.sn })).data).toMatchObject({ total: 1 })
  })

  it('stops by itself where too many of a wave fail, goes on when it is resumed, and ends what was fixed and retried', async () => {
    const devices = await stage.stand([
      obedient,
      failing('notEnoughSpace: 96 MB free'),
      failing('downloadFailed'),
      obedient,
    ])
    const options = { ...inThree, waves: [{ devices: 1 }, { percent: 75 }, { percent: 100 }], failPercent: 20 }
    const id = await stage.acts.begin(stage.order(devices, { options }))
    const stopped = await stage.acts.until(id, paused)
    expect(stopped.row).toMatchObject({ stateReason: 'tooManyFailed', wave: 2, progress: 'inProgress' })
    expect(stopped.because).toMatchObject({ size: 2, percent: 20 })
    await eventually(
      () => stage.acts.detail(id),
      ({ row }) => row.failed === 2,
    )
    const { reasons } = await stage.acts.detail(id)
    expect(reasons.map(({ reason, count }) => [reason, count])).toEqual([
      ['downloadFailed', 1],
      ['notEnoughSpace', 1],
    ])
    expect(reasons[1]).toMatchObject({ detail: '96 MB free', sns: [devices[1]?.sn] })
    // The last wave has heard nothing.
    expect(devices[3]?.told).toEqual([])
    for (const device of devices) device.mind(obedient)
    expect(await stage.acts.act('retryFailed', id)).toMatchObject({ code: 100000, data: { retried: 2 } })
    expect((await stage.acts.stateOf(id, devices[1]?.sn ?? ''))?.state).toBe('pendingRetry')
    expect((await stage.acts.act('resume', id)).code).toBe(100000)
    const { row } = await stage.acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'success', succeeded: 4, failed: 0 })
    await stage.addsUp(id)
    const told = (await stage.person.get('/api/v1/oauth/notifications')).data.rows as { title: string }[]
    expect(told.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['A release has paused by itself', 'Release finished']),
    )
  })

  it('holds nothing against itself twice that a person let pass', async () => {
    const devices = await stage.stand([failing('installFailed'), obedient, obedient])
    const id = await stage.acts.begin(
      stage.order(devices, { options: { ...inThree, failCount: 1, successPercent: 100 } }),
    )
    expect((await stage.acts.until(id, paused)).row.stateReason).toBe('tooManyFailed')
    expect((await stage.acts.act('pause', id)).code).toBe(100021)
    await stage.acts.act('resume', id)
    expect((await stage.acts.until(id, paused)).row.stateReason).toBe('tooFewSucceeded')
    await stage.acts.act('resume', id)
    const { row } = await stage.acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'partialSuccess', succeeded: 2, failed: 1 })
  })

  it('tries again by itself after a while, and waits no longer for a device than its state may last', async () => {
    const [device] = (await stage.stand([
      (_, times) => (times === 1 ? [{ state: 'failed', error: 'linkExpired' }] : []),
    ])) as [Standing]
    const id = await stage.acts.begin(stage.order([device], { options: { retries: 1 } }))
    const planned = await stage.acts.until(id, ({ row }) => row.pendingRetry === 1)
    expect(Date.parse(planned.nextTry ?? '') - Date.now()).toBeGreaterThan(30_000)
    await stage.dueNow(id)
    await eventually(
      async () => device.told.length,
      (count) => count === 2,
    )
    await stage.acts.until(id, ({ row }) => row.published === 1 && row.told === 1)
    await stage.dueNow(id)
    const { row } = await stage.acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'failed', failed: 1 })
    expect(await stage.acts.stateOf(id, device.sn)).toMatchObject({ reason: 'timeOutPublished', attempt: 2 })
    // What it says afterwards changes nothing, and neither does what it says again of the first try.
    for (const { id: message } of device.told) await device.say(message, { state: 'done' })
    const late = await eventually(
      async () =>
        (await sql<{ reason: string }>`select reason from command where sn = ${device.sn}`.execute(stage.world.db))
          .rows,
      (rows) => rows.some(({ reason }) => reason === 'doneAfterAll'),
    )
    expect(late).toHaveLength(2)
    expect(await stage.acts.stateOf(id, device.sn)).toMatchObject({ state: 'failed' })
    await stage.addsUp(id)
  })

  it('is paused, skipped and stopped by people: what has begun comes to its end, and nobody else is told', async () => {
    const devices = await stage.stand([silent, silent, obedient])
    const id = await stage.acts.begin(stage.order(devices, { options: inThree }))
    await stage.acts.until(id, ({ row }) => row.told === 1)
    expect((await stage.acts.act('pause', id)).code).toBe(100000)
    expect((await stage.acts.detail(id)).row).toMatchObject({ state: 'paused', stateReason: 'byPerson' })
    expect((await stage.acts.act('skipWave', id)).code).toBe(100021)
    await stage.acts.act('resume', id)
    expect((await stage.acts.act('skipWave', id)).code).toBe(100000)
    await stage.acts.until(id, ({ row }) => row.wave === 2 && row.told === 2)
    const [first] = devices
    const [message] = first?.told ?? []
    await first?.say(message?.id ?? '', { state: 'progress', step: 'upgrading', progress: 5 })
    await stage.acts.until(id, ({ row }) => row.upgrading === 1)
    const stop = await stage.acts.act('stop', id)
    expect(stop).toMatchObject({ code: 100000, data: { cancelled: 2 } })
    expect((await stage.acts.detail(id)).row).toMatchObject({ state: 'stopping', upgrading: 1, cancelled: 2 })
    expect((await stage.acts.act('retryFailed', id)).code).toBe(100021)
    await first?.say(message?.id ?? '', { state: 'done' })
    const { row, waves } = await stage.acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'stopped', succeeded: 1, cancelled: 2 })
    expect(waves.map(({ state }) => state)).toEqual(['done', 'done', 'stopped'])
    expect(devices[2]?.told).toEqual([])
    await stage.addsUp(id)
  })

  it('cancels single devices only while they upgrade or wait for a retry, and retries only those that failed', async () => {
    const devices = await stage.stand([silent, failing('downloadFailed'), silent, failing('signatureDiffers')])
    const [waiting, retrying, upgrading, failed] = devices as [Standing, Standing, Standing, Standing]
    const id = await stage.acts.begin(
      stage.order(devices, { options: { waves: [{ percent: 100 }], retries: 1, failPercent: 100 } }),
    )
    await stage.acts.until(id, ({ row }) => row.pendingRetry === 1 && row.failed === 1 && row.told === 4)
    await eventually(
      async () => upgrading.told.length,
      (count) => count > 0,
    )
    await upgrading.say(upgrading.told[0]?.id ?? '', { state: 'acknowledged', step: 'upgrading' })
    await stage.acts.until(id, ({ row }) => row.upgrading === 1)
    const cancel = (...some: Standing[]) => stage.acts.act('cancelDevices', id, { sns: sns(some) })
    const retry = (...some: Standing[]) => stage.acts.act('retryDevices', id, { sns: sns(some) })
    expect(await cancel(upgrading, waiting)).toMatchObject({ code: 301014, data: { sn: waiting.sn } })
    expect(await cancel(failed)).toMatchObject({ code: 301014, data: { sn: failed.sn } })
    expect(await retry(failed, retrying)).toMatchObject({ code: 301015, data: { sn: retrying.sn } })
    expect(await retry(upgrading)).toMatchObject({ code: 301015, data: { sn: upgrading.sn } })
    expect((await stage.acts.detail(id)).row).toMatchObject({ upgrading: 1, pendingRetry: 1, failed: 1, cancelled: 0 })
    expect(await cancel(upgrading, retrying)).toMatchObject({ code: 100000, data: { cancelled: 2 } })
    failed.mind(obedient)
    expect(await retry(failed)).toMatchObject({ code: 100000, data: { retried: 1 } })
    await stage.acts.until(id, ({ row }) => row.succeeded === 1)
    await waiting.say(waiting.told[0]?.id ?? '', { state: 'done' })
    const { row } = await stage.acts.until(id, ended)
    expect(row).toMatchObject({ progress: 'partialSuccess', succeeded: 2, cancelled: 2, failed: 0 })
    // After the end a device that was cancelled says it was done: nobody is told so.
    await upgrading.say(upgrading.told[0]?.id ?? '', { state: 'done' })
    expect(await stage.acts.stateOf(id, upgrading.sn)).toMatchObject({ state: 'cancelled' })
    expect(await retry(upgrading)).toMatchObject({ code: 301015 })
    await stage.addsUp(id)
  })

  it('begins anew when what failed is retried after its end', async () => {
    const devices = await stage.stand([failing('installFailed')])
    const id = await stage.acts.begin(stage.order(devices))
    expect((await stage.acts.until(id, ended)).row).toMatchObject({ failed: 1, progress: 'failed' })
    devices[0]?.mind(obedient)
    await stage.acts.act('retryFailed', id)
    const { row } = await stage.acts.until(id, (now) => ended(now) && now.row.succeeded === 1)
    expect(row.progress).toBe('success')
    expect((await stage.acts.stepsOf(id)).map(({ what }) => what)).toContain('reopened')
    expect((await stage.acts.act('retryFailed', id)).code).toBe(100021)
  })

  it('is rolled back on whoever it has reached, by a release of its own', async () => {
    const devices = await stage.stand([obedient, obedient])
    const id = await stage.acts.begin(stage.order(devices))
    await stage.acts.until(id, ended)
    const back = await stage.acts.act('rollBack', id)
    expect(back.code).toBe(100000)
    const { row } = await stage.acts.until(Number(back.data.id), ended)
    expect(row).toMatchObject({ action: 'hide', progress: 'success', total: 2 })
    expect(devices.map(({ told }) => told.map(({ name }) => name))).toEqual(
      devices.map(() => ['showPromotion', 'hidePromotion']),
    )
    expect((await stage.acts.act('rollBack', Number(back.data.id))).code).toBe(100021)
  })
})

it('stands still where devices that succeeded are not well afterwards', async () => {
  const devices = await stage.stand([obedient, obedient])
  const id = await stage.acts.begin(
    stage.order(devices, {
      options: { waves: [{ devices: 1 }, { percent: 100 }], bakeMinutes: 60, health: { noCrash: true } },
    }),
  )
  await stage.acts.until(id, ({ waves }) => waves[0]?.state === 'baking')
  const [first] = devices as [Standing]
  await sql`insert into device_event (device_id, event_id, time, type, level, received)
    values (${first.id}, 'e1', now(), 'appCrashed', 'major', now())`.execute(stage.world.db)
  await sql`update release_wave set bake_until = now(), end_time = end_time - interval '5 minutes'
    where release_id = ${id} and end_time is not null`.execute(stage.world.db)
  const { row, because } = await stage.acts.until(id, paused)
  expect(row.stateReason).toBe('notHealthy')
  expect(because).toEqual({ unhealthy: 1, size: 1 })
  await stage.acts.act('resume', id)
  await stage.acts.until(id, ended)
})

it('groups failures by reason, and what devices say in words of their own by these words', async () => {
  const tempers = ['no paper', 'no paper', 'ink is empty', 'installFailed: 1', 'installFailed: 2'].map(failing)
  const id = await stage.acts.begin(
    stage.order(await stage.stand(tempers), { options: { waves: [{ percent: 100 }], failPercent: 100 } }),
  )
  const { reasons } = await stage.acts.until(id, ended)
  expect(reasons.map(({ reason, detail, count }) => [reason, detail, count])).toEqual([
    // Whichever of the two was heard first.
    ['installFailed', expect.stringMatching(/^[12]$/), 2],
    ['unknown', 'no paper', 2],
    ['unknown', 'ink is empty', 1],
  ])
})

it('fails on a device that is deleted while it waits for it', async () => {
  const [device] = (await stage.stand([silent])) as [Standing]
  const id = await stage.acts.begin(stage.order([device], { mode: 'offline' }))
  await stage.acts.until(id, ({ row }) => row.told === 1)
  expect((await stage.person.remove('/api/v3/device/basic/delete', { sn: [device.sn] })).code).toBe(100000)
  await stage.acts.until(id, ({ row }) => row.failed === 1)
  expect(await stage.acts.stateOf(id, device.sn)).toMatchObject({ state: 'failed', reason: 'deviceRemoved' })
})
