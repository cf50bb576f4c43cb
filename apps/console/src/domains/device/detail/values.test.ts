import type { DeviceDetail } from '@campanile/contract/device'
import { expect, it } from 'vitest'
import { clockOffsetText, durationText, isOld, isStandingStill } from './values.ts'

const t = (key: string, values: Record<string, unknown> = {}) => `${values.count}${key.split('.').at(-1)?.[0]}`

it.each([
  [0, '0m'],
  [59, '0m'],
  [61, '1m'],
  [3_600, '1h'],
  [6 * 86_400 + 4 * 3_600 + 59, '6d 4h'],
  [86_400, '1d'],
])('tells %d seconds by their two largest parts', (seconds, expected) => {
  expect(durationText(seconds, t)).toBe(expected)
})

it.each([
  [0, 'right'],
  [-1_999, 'right'],
  [2_000, 'ahead 2s'],
  [-192_000, 'behind 3m 12s'],
  [-60_000, 'behind 1m'],
  [400 * 86_400_000 + 1_000, 'ahead 400d'],
])('tells a clock that is %d ms off', (offset, expected) => {
  const said = (key: string, values: Record<string, unknown> = {}) =>
    key.startsWith('deviceDetail.clock')
      ? [key.split('.').at(-1), values.shown].filter(Boolean).join(' ')
      : t(key, values)
  expect(clockOffsetText(offset, said)).toBe(expected)
})

it('a device that is connected and says nothing new stands still; one that is away is merely away', () => {
  const now = Date.UTC(2026, 0, 31, 12)
  const detail = (iotStatus: string, minutes: number) => {
    const ts = new Date(now - minutes * 60_000).toISOString()
    return { row: { iotStatus }, values: { cpu: { value: 7, ts } } } as unknown as DeviceDetail
  }
  expect(isStandingStill(detail('online', 1), now)).toBe(false)
  expect(isStandingStill(detail('online', 180), now)).toBe(true)
  expect(isStandingStill(detail('offline', 180), now)).toBe(false)
  expect(isStandingStill({ row: { iotStatus: 'online' }, values: {} } as unknown as DeviceDetail, now)).toBe(false)
  expect(isOld({ ts: new Date(now - 60_000).toISOString() }, now)).toBe(false)
  expect(isOld({ ts: new Date(now - 180_000).toISOString() }, now)).toBe(true)
})
