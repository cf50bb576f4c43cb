import type { AppCounts } from '@campanile/contract/protocol'
import { expect, it } from 'vitest'
import { pastOf } from './past.ts'
import { living } from './scenarios/living.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 5, 30, 12)
const device = (type: number) => ({
  sn: `T${type}-0001`,
  type,
  model: undefined,
  from: now - 20 * dayMs,
  to: now - dayMs,
})
const tell = (type: number, seed = 1) => pastOf(device(type), seed, living, now)

it('tells the same past for the same seed, and another for another', async () => {
  expect(await tell(4)).toEqual(await tell(4))
  expect((await tell(4, 2)).points).not.toEqual((await tell(4)).points)
})

it('speaks only while it was there, from first to last in order', async () => {
  for (const type of [2, 3, 6, 14]) {
    const { spans, points, events } = await tell(type)
    const { from, to } = device(type)
    expect(spans.length).toBeGreaterThan(0)
    for (const [at, span] of spans.entries()) {
      expect(span.from).toBeGreaterThanOrEqual(spans[at - 1]?.to ?? from)
      expect(span.to).toBeGreaterThan(span.from)
      expect(span.to).toBeLessThanOrEqual(to)
    }
    const isThere = (ts: number) => spans.some((span) => ts >= span.from && ts < span.to)
    expect(points.length).toBeGreaterThan(20)
    expect([...points, ...events].filter(({ ts }) => !isThere(ts))).toEqual([])
    const times = points.map(({ ts }) => ts)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  }
})

it('tells the last hour by the minute', async () => {
  const { points, spans } = await pastOf({ ...device(2), to: now }, 1, living, now)
  const there = spans.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, now - dayMs / 24)), 0)
  const told = points.filter(({ ts }) => ts > now - dayMs / 24)
  expect(there).toBeGreaterThan(0)
  expect(told.length).toBeGreaterThan((there / 60_000) * 0.9)
})

it('lets batteries fall and rise through the middle', async () => {
  const levels = (await tell(3)).points.map(({ battery = 0 }) => battery)
  expect(levels.some((level) => level > 30 && level < 70)).toBe(true)
  expect(Math.min(...levels)).toBeGreaterThan(1)
})

it('counts what its apps used within what it used itself, and only ever more', async () => {
  const { events, points } = await tell(4)
  const reports = events.filter(({ type }) => type === 'appTraffic')
  expect(reports.length).toBeGreaterThan(10)
  const sums = reports.map(({ data }) =>
    Object.values(data?.apps as Record<string, AppCounts>).reduce(
      (sum, { mobileDown = 0, wifiDown = 0 }) => sum + mobileDown + wifiDown,
      0,
    ),
  )
  expect(sums).toEqual([...sums].sort((a, b) => a - b))
  const { mobileDown = 0, wifiDown = 0 } = points.at(-1) ?? {}
  expect(sums.at(-1)).toBeGreaterThan(0)
  expect(sums.at(-1)).toBeLessThan(mobileDown + wifiDown)
})
