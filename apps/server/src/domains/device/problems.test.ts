import { expect, it } from 'vitest'
import { type AtPlace, byPlace } from './problems.ts'

const at = (place: string, count: number, since = '2026-11-01T00:00:00Z'): AtPlace => ({
  departmentId: count,
  place,
  count,
  since,
  reason: 'keepalive',
})

it('says nothing of what nothing is wrong with', () => {
  expect(byPlace('paper', [])).toEqual([])
})

it('names the one place where all of them stand', () => {
  expect(byPlace('paper', [at('Store Ashford', 2)])).toEqual([
    {
      count: 2,
      since: '2026-11-01T00:00:00Z',
      filter: { problem: 'paper', departmentId: 2 },
      words: { place: 'Store Ashford' },
    },
  ])
})

it('says one line for one kind: each device once, the worst places by name, the others counted', () => {
  const places = [at('Ashford', 2), at('Belmont', 1, '2026-10-01T00:00:00Z'), at('Corby', 1), at('Dover', 1)]
  expect(byPlace('paper', places)).toEqual([
    {
      count: 5,
      since: '2026-10-01T00:00:00Z',
      filter: { problem: 'paper' },
      words: { sites: 'Ashford (2) · Belmont · Corby', more: 1 },
      cause: 'causeAll',
    },
  ])
})
