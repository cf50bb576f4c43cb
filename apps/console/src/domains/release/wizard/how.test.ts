import { promotionRelease } from '@campanile/contract/poster'
import { releaseOptions } from '@campanile/contract/release'
import { describe, expect, it } from 'vitest'
import {
  beginningOf,
  faultOf,
  type How,
  optionsOf,
  presetNames,
  startOf,
  withoutWave,
  withPace,
  withWave,
} from './how.ts'

const start = startOf(promotionRelease)
const now = new Date('2026-11-16T12:00:00Z')

describe('how a release goes', () => {
  it('begins with what its kind says, and sends nothing that the contract does not take', () => {
    expect(start).toMatchObject({ action: 'show', mode: 'realTime', pace: 'steady', failPercent: 10, retries: 2 })
    for (const pace of [...presetNames, 'own'] as const)
      expect(releaseOptions.safeParse(optionsOf(withPace(start, pace), promotionRelease)).success).toBe(true)
    expect(startOf(promotionRelease, 'hide').action).toBe('hide')
    expect(startOf(promotionRelease, 'burn').action).toBe('show')
  })

  it('says nothing of conditions that its kind does not know', () => {
    const how: How = { ...start, minBattery: 30, wifiOnly: true, rollBack: true, kilobytesPerSecond: 64 }
    const sent = optionsOf(how, promotionRelease)
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['minBattery', 'wifiOnly', 'rollBack']))
    expect(optionsOf(how, { conditions: ['minBattery', 'bytesPerSecond'] })).toMatchObject({
      minBattery: 30,
      bytesPerSecond: 65_536,
    })
  })

  it('ends with whoever is left, however its waves are changed', () => {
    const more = withWave(withWave(start))
    expect(more.pace).toBe('own')
    expect(optionsOf(more, promotionRelease).waves?.at(-1)).toEqual({ percent: 100 })
    const fewer = withoutWave(withoutWave(more, 0), 0)
    expect(optionsOf(fewer, promotionRelease).waves?.at(-1)).toEqual({ percent: 100 })
    expect(Array.from({ length: 20 }).reduce<How>(withWave, start).waves).toHaveLength(10)
  })
})

describe('what keeps it from being sent', () => {
  it('is a time that is missing or over, by clocks that are known', () => {
    expect(faultOf({ ...start, mode: 'scheduled' }, now)).toBe('timeWanted')
    expect(faultOf({ ...start, mode: 'scheduled', time: '2020-01-01T00:00' }, now)).toBe('timePassed')
    expect(faultOf({ ...start, mode: 'scheduled', time: '2020-01-01T00:00', clock: 'device' }, now)).toBeUndefined()
    expect(faultOf(start, now)).toBeUndefined()
  })

  it('is a wave without a size, or one that reaches no further than the one before', () => {
    const waves = (...percents: (number | null)[]) => ({
      ...start,
      waves: percents.map((amount) => ({ unit: 'percent' as const, amount, bakeMinutes: null })),
    })
    expect(faultOf(waves(null, 100), now)).toBe('waveAmount')
    expect(faultOf(waves(20, 10, 100), now)).toBe('waveOrder')
    expect(faultOf(waves(10, 20, 100), now)).toBeUndefined()
  })
})

it('a time is sent as a moment by one’s own clock, and as it is read by others', () => {
  const time = '2026-12-01T02:00'
  expect(beginningOf({ mode: 'scheduled', time, clock: 'mine' }).beginTime).toBe(new Date(time).toISOString())
  expect(beginningOf({ mode: 'scheduled', time, clock: 'device' })).toEqual({ beginTime: time, zone: 'device' })
  expect(beginningOf({ mode: 'offline', time, clock: 'mine' })).toEqual({})
})
