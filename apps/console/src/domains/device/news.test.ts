import { expect, it } from 'vitest'
import { detailWithNews, withNews } from './news.ts'

const row = { sn: 'HP-1', iotStatus: 'offline', battery: null, locked: false, firmwareVersion: null }

it('puts presence, values and facts into the row, and nothing the row does not have', () => {
  const news = {
    sn: 'HP-1',
    iotStatus: 'online',
    facts: { firmwareVersion: '1.2' },
    values: { battery: { value: 41.6, ts: 5 }, cpu: { value: 7, ts: 5 } },
  }
  expect(withNews(row, news)).toEqual({ ...row, iotStatus: 'online', battery: 42, firmwareVersion: '1.2' })
})

it('leaves the row as it is when nothing of it changed, so that nothing is drawn anew', () => {
  expect(withNews(row, { sn: 'HP-1', iotStatus: 'offline', values: { cpu: { value: 7, ts: 5 } } })).toBe(row)
})

it('replaces single values of a detail and keeps the others with their own time', () => {
  const detail = { row, values: { cpu: { value: 1, ts: '2026-01-01T00:00:00.000Z' } } }
  const now = detailWithNews(detail as never, { sn: 'HP-1', values: { memory: { value: 2, ts: 1_000 } } })
  expect(now.values).toEqual({
    cpu: { value: 1, ts: '2026-01-01T00:00:00.000Z' },
    memory: { value: 2, ts: '1970-01-01T00:00:01.000Z' },
  })
})

it('puts values by the device’s own names beside those it has', () => {
  const detail = { row, values: {}, own: { door: { value: 'shut', ts: '2026-01-01T00:00:00.000Z' } } }
  const now = detailWithNews(detail as never, {
    sn: 'HP-1',
    own: { door: { value: 'open', ts: 1_000 }, 'tank.level': { value: 3, ts: 2_000, received: true } },
  })
  expect(now.own).toEqual({
    door: { value: 'open', ts: '1970-01-01T00:00:01.000Z' },
    'tank.level': { value: 3, ts: '1970-01-01T00:00:02.000Z', received: true },
  })
})
