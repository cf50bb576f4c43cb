import { expect, it } from 'vitest'
import { countOf, type Detail, figuresOf, segmentOf, segments } from './story.ts'

const row = {
  total: 1_280,
  published: 1_170,
  waiting: 1_152,
  told: 126,
  downloading: 14,
  upgrading: 9,
  succeeded: 71,
  failed: 6,
  pendingRetry: 7,
  cancelled: 3,
} as Detail['row']

it('the figures of the states add up, with those that wait for their wave, to all', () => {
  const shown = figuresOf(row).reduce((sum, [, count]) => sum + count, 0)
  expect(shown + row.waiting).toBe(row.total)
  expect(countOf(row, 'open') + row.succeeded + row.failed + row.cancelled).toBe(shown)
})

it('a part of the devices is known again by its filter, and another filter is none of them', () => {
  for (const name of Object.keys(segments) as (keyof typeof segments)[]) expect(segmentOf(segments[name])).toBe(name)
  expect(segmentOf({})).toBeUndefined()
  expect(segmentOf({ told: true, state: ['failed'] })).toBeUndefined()
})
