import { waveSizes } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import {
  afterFailure,
  backOffMinutes,
  commandMinutes,
  decide,
  type Standing,
  stateMinutes,
  type WaveStanding,
} from './decide.ts'

const now = new Date('2026-11-16T12:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

/** A wave of ten that nobody has been told of. */
const wave = (given: Partial<WaveStanding> = {}): WaveStanding => ({
  wave: 1,
  size: 10,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  open: 10 - (given.succeeded ?? 0) - (given.failed ?? 0) - (given.cancelled ?? 0),
  underWay: 0,
  ready: 0,
  overdue: 0,
  nextTime: null,
  bakeMinutes: 30,
  skipped: false,
  endTime: null,
  bakeUntil: null,
  ...given,
})
const through = (given: Partial<WaveStanding> = {}) =>
  wave({ succeeded: 10, open: 0, endTime: now, bakeUntil: now, ...given })
const standing = (given: Partial<Standing> = {}): Standing => ({
  state: 'running',
  mode: 'realTime',
  beginTime: null,
  pushed: true,
  options: {},
  wave: 1,
  waves: [wave(), wave({ wave: 2 })],
  forgiven: 0,
  waived: false,
  ...given,
})
const next = (given: Partial<Standing>) => decide(standing(given), now)

describe('the beginning', () => {
  it('waits for its time, by whosever clocks that was worked out', () => {
    const beginTime = inMinutes(1)
    expect(next({ state: 'waiting', wave: 0, beginTime })).toEqual({ next: 'wait', until: beginTime })
    expect(next({ state: 'waiting', wave: 0, beginTime: now })).toEqual({ next: 'begin' })
    expect(next({ state: 'waiting', wave: 0 })).toEqual({ next: 'begin' })
  })

  it('begins the first wave when it runs, and not before its time although a person paused and resumed it', () => {
    expect(next({ wave: 0 })).toEqual({ next: 'beginWave', wave: 1 })
    expect(next({ wave: 0, beginTime: inMinutes(5) })).toEqual({ next: 'wait', until: inMinutes(5) })
  })

  it('is the end as well where it is only published', () => {
    expect(next({ pushed: false, wave: 0, beginTime: inMinutes(5) })).toEqual({ next: 'wait', until: inMinutes(5) })
    expect(next({ pushed: false, wave: 0 })).toEqual({ next: 'beginWave', wave: 1 })
    expect(next({ pushed: false, waves: [wave({ ready: 10 })] })).toEqual({ next: 'end' })
  })

  it('takes one device, one in a hundred, one in ten and the rest, and leaves out waves that would be empty', () => {
    const waves = [{ devices: 1 }, { percent: 1 }, { percent: 10 }, { percent: 100 }]
    const sizes = (total: number) => waveSizes(waves, total).map(({ devices }) => devices)
    expect(sizes(1280)).toEqual([1, 12, 115, 1152])
    expect(sizes(1)).toEqual([1])
    expect(sizes(5)).toEqual([1, 4])
    expect(waveSizes([{ percent: 50 }], 7).map(({ devices }) => devices)).toEqual([7])
    expect(waveSizes([{ devices: 3 }, { devices: 3 }, { devices: 3 }], 10).map(({ devices }) => devices)).toEqual([
      3, 3, 4,
    ])
  })
})

describe('a wave', () => {
  it('is told of, and whoever is tried again is told with it, also of a wave before', () => {
    expect(next({ waves: [wave({ ready: 10 }), wave({ wave: 2, ready: 10 })] })).toEqual({ next: 'tell' })
    expect(next({ wave: 2, waves: [through({ open: 1, ready: 1 }), wave({ wave: 2, underWay: 10 })] })).toEqual({
      next: 'tell',
    })
  })

  it('is not told of before it has begun', () => {
    expect(next({ waves: [wave({ underWay: 10 }), wave({ wave: 2, ready: 10 })] })).toMatchObject({ next: 'wait' })
  })

  it('looks for whoever was waited for in vain before anything else', () => {
    expect(next({ waves: [wave({ underWay: 10, overdue: 2, ready: 3 })] })).toEqual({ next: 'timeOut' })
    for (const state of ['paused', 'stopping'] as const)
      expect(next({ state, waves: [wave({ underWay: 10, overdue: 2 })] })).toEqual({ next: 'timeOut' })
  })

  it('waits until the next of its devices can be told or is overdue', () => {
    const waves = [wave({ underWay: 8, nextTime: inMinutes(9) }), wave({ wave: 2 })]
    expect(next({ waves })).toEqual({ next: 'wait', until: inMinutes(9) })
  })

  it('ends when all of it has, and is looked at for a while before the next begins', () => {
    const all = wave({ succeeded: 10 })
    expect(next({ waves: [all, wave({ wave: 2 })] })).toEqual({ next: 'endWave', wave: 1, bakeUntil: inMinutes(30) })
    const baking = through({ bakeUntil: inMinutes(30) })
    expect(next({ waves: [baking, wave({ wave: 2 })] })).toEqual({ next: 'wait', until: inMinutes(30) })
    expect(next({ waves: [through(), wave({ wave: 2 })] })).toEqual({ next: 'beginWave', wave: 2 })
  })

  it('that is skipped holds up nobody, whoever of it is still at it and however it bakes', () => {
    const skipped = wave({ underWay: 4, succeeded: 2, failed: 4, skipped: true })
    const options = { successPercent: 100, health: { online: true } }
    expect(next({ options, waves: [skipped, wave({ wave: 2 })] })).toEqual({ next: 'endWave', wave: 1, bakeUntil: now })
    const baking = { ...skipped, endTime: now, bakeUntil: inMinutes(30) }
    expect(next({ options, waves: [baking, wave({ wave: 2 })] })).toEqual({ next: 'beginWave', wave: 2 })
  })

  it('of devices that come when they come goes on without those that are away, once half have succeeded', () => {
    const mode = 'offline'
    const some = (succeeded: number) => [wave({ succeeded, underWay: 10 - succeeded }), wave({ wave: 2 })]
    expect(next({ mode, waves: some(4) })).toMatchObject({ next: 'wait' })
    expect(next({ mode, waves: some(5) })).toMatchObject({ next: 'endWave' })
    expect(next({ mode, options: { successPercent: 80 }, waves: some(7) })).toMatchObject({ next: 'wait' })
    expect(next({ mode, options: { successPercent: 80 }, waves: some(8) })).toMatchObject({ next: 'endWave' })
    expect(next({ mode: 'scheduled', waves: some(9) })).toMatchObject({ next: 'wait' })
    // Whoever is tried again is no device that is away.
    expect(next({ mode, waves: [wave({ succeeded: 6, underWay: 3 }), wave({ wave: 2 })] })).toMatchObject({
      next: 'wait',
    })
  })
})

describe('thresholds', () => {
  const failing = (failed: number, given: Partial<Standing>) =>
    next({ waves: [wave({ failed, underWay: 10 - failed, ready: 1 })], ...given })

  it('stop it by itself when more of a wave have failed than may, before anybody else is told', () => {
    expect(failing(2, { options: { failPercent: 20 } })).toEqual({ next: 'tell' })
    expect(failing(3, { options: { failPercent: 20 } })).toEqual({
      next: 'pause',
      reason: 'tooManyFailed',
      because: { failed: 3, size: 10, percent: 20 },
    })
    expect(failing(1, { options: { failCount: 2 } })).toEqual({ next: 'tell' })
    expect(failing(2, { options: { failCount: 2 } })).toMatchObject({ next: 'pause', because: { failed: 2, limit: 2 } })
    expect(failing(1, { options: { failPercent: 0 } })).toMatchObject({ next: 'pause' })
    expect(failing(10, { options: {} })).toEqual({ next: 'tell' })
  })

  it('hold nothing against it twice that a person let pass, also when fewer have failed since', () => {
    const options = { failPercent: 20 }
    expect(failing(3, { options, forgiven: 3 })).toEqual({ next: 'tell' })
    expect(failing(5, { options, forgiven: 3 })).toEqual({ next: 'tell' })
    expect(failing(6, { options, forgiven: 3 })).toMatchObject({ next: 'pause', because: { failed: 3 } })
    expect(failing(1, { options, forgiven: 3 })).toEqual({ next: 'tell' })
  })

  it('want so many to have succeeded before the next wave, of those that were not taken back', () => {
    const options = { successPercent: 80 }
    const of = (given: Partial<WaveStanding>) => next({ options, waves: [through(given), wave({ wave: 2 })] })
    expect(of({ succeeded: 7, failed: 3 })).toEqual({
      next: 'pause',
      reason: 'tooFewSucceeded',
      because: { succeeded: 7, size: 10, percent: 80 },
    })
    expect(of({ succeeded: 8, failed: 2 })).toEqual({ next: 'beginWave', wave: 2 })
    expect(of({ succeeded: 4, failed: 1, cancelled: 5 })).toEqual({ next: 'beginWave', wave: 2 })
    expect(next({ options, waived: true, waves: [through({ succeeded: 0, failed: 10 }), wave({ wave: 2 })] })).toEqual({
      next: 'beginWave',
      wave: 2,
    })
  })

  it('look whether devices are well once the bake is over, and stop where more are not than may fail', () => {
    const options = { failPercent: 20, health: { online: true } }
    const waves = [through({ endTime: inMinutes(-5) }), wave({ wave: 2 })]
    expect(next({ options, waves: [through({ bakeUntil: inMinutes(1) }), wave({ wave: 2 })] })).toMatchObject({
      next: 'wait',
    })
    expect(next({ options, waves })).toEqual({ next: 'checkHealth' })
    expect(next({ options, waves, unhealthy: 2 })).toEqual({ next: 'beginWave', wave: 2 })
    expect(next({ options, waves, unhealthy: 3 })).toEqual({
      next: 'pause',
      reason: 'notHealthy',
      because: { unhealthy: 3, size: 10 },
    })
    // Whoever starts anew after it was changed is given the time for it.
    const restarting = [through({ endTime: inMinutes(-4) }), wave({ wave: 2 })]
    expect(next({ options, waves: restarting, unhealthy: 3 })).toEqual({ next: 'wait', until: inMinutes(1) })
    expect(next({ options, waves, waived: true })).toEqual({ next: 'beginWave', wave: 2 })
    expect(next({ options: { health: { online: false } }, waves })).toEqual({ next: 'beginWave', wave: 2 })
  })
})

describe('standing still and ending', () => {
  it('tells nobody while it is paused, and lets whoever was told come to its end', () => {
    const waves = [wave({ underWay: 5, ready: 5, failed: 0 }), wave({ wave: 2, ready: 10 })]
    expect(next({ state: 'paused', waves, options: { failPercent: 0 } })).toEqual({ next: 'wait', until: null })
  })

  it('ends when it was stopped and nobody is at it any more', () => {
    const gone = wave({ wave: 2, cancelled: 10, open: 0 })
    expect(next({ state: 'stopping', waves: [wave({ underWay: 10 }), gone] })).toMatchObject({ next: 'wait' })
    expect(next({ state: 'stopping', waves: [wave({ succeeded: 9, failed: 1 }), gone] })).toEqual({ next: 'end' })
  })

  it('ends after the last wave without a bake, once nobody of any wave is open', () => {
    const last = wave({ wave: 2, succeeded: 10, endTime: now, bakeUntil: now })
    expect(next({ wave: 2, waves: [through(), wave({ wave: 2, succeeded: 10 })] })).toEqual({
      next: 'endWave',
      wave: 2,
      bakeUntil: now,
    })
    expect(next({ wave: 2, waves: [through({ open: 1, succeeded: 9, underWay: 1 }), last] })).toMatchObject({
      next: 'wait',
    })
    expect(next({ wave: 2, waves: [through(), last] })).toEqual({ next: 'end' })
    // Nothing is left to go on with.
    expect(next({ state: 'paused', wave: 2, waves: [through(), last] })).toEqual({ next: 'end' })
  })

  it('does not stand still at the very end, where nobody is left whom it could be kept from', () => {
    const waves = [through(), wave({ wave: 2, failed: 10, open: 0 })]
    expect(next({ wave: 2, options: { failPercent: 0 }, waves })).toMatchObject({ next: 'endWave' })
  })

  it('does nothing more once it has ended', () => {
    expect(next({ state: 'ended' })).toEqual({ next: 'wait', until: null })
  })
})

describe('a device on which it failed', () => {
  const after = (given: Partial<Parameters<typeof afterFailure>[0]>, retries = 2) =>
    afterFailure({ fault: 'downloadFailed', attempt: 1, state: 'running', ...given }, { retries }, now)

  it('is tried again as often as was said, each time after four times as long', () => {
    expect(after({})).toEqual({ event: 'retryLater', due: inMinutes(1) })
    expect(after({ attempt: 2 })).toEqual({ event: 'retryLater', due: inMinutes(4) })
    expect(after({ attempt: 3 })).toEqual({ event: 'fail' })
    expect(after({}, 0)).toEqual({ event: 'fail' })
    expect([1, 2, 3, 4, 5, 9].map(backOffMinutes)).toEqual([1, 4, 16, 64, 256, 256])
  })

  it('is not tried again where it would end the same, or the release is being stopped', () => {
    expect(after({ fault: 'signatureDiffers' })).toEqual({ event: 'fail' })
    expect(after({ state: 'stopping' })).toEqual({ event: 'fail' })
    expect(after({ state: 'paused' })).toMatchObject({ event: 'retryLater' })
  })

  it('that was too late for its window comes to the next, however often', () => {
    expect(after({ fault: 'windowClosed', attempt: 9 }, 0)).toEqual({ event: 'retryLater', due: now })
    expect(after({ fault: 'windowClosed', state: 'stopping' })).toEqual({ event: 'fail' })
  })

  it('is waited for as long as its state may last; one that is away for as long as any command waits', () => {
    const options = { timeoutMinutes: { published: 5, upgrading: 7 } }
    expect(stateMinutes(options, 'realTime', 'published')).toBe(5)
    expect(stateMinutes(options, 'offline', 'published')).toBe(43_200)
    expect(stateMinutes(options, 'offline', 'upgrading')).toBe(7)
    expect(stateMinutes({}, 'realTime', 'downloading')).toBe(60)
    expect(commandMinutes(options, 'realTime')).toBe(72)
    expect(commandMinutes({}, 'offline')).toBe(43_200)
  })
})
