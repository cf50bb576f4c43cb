import { exportFile, filterShape, type HomeSummary, operationLog, user } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { figuresOf } from './figures.ts'
import { greetingOf } from './greeting.ts'

const since = '2026-11-14T16:00:00.000Z'
const summary = (figures: Partial<HomeSummary['figures']>): HomeSummary => ({
  organisation: { id: 1, name: 'Platform', type: 3, path: [] },
  figures: { organisations: null, administrators: null, locked: null, signIns: null, exports: null, ...figures },
  announcements: [],
  steps: [],
})
const everything = summary({
  organisations: 4,
  administrators: 3,
  locked: 1,
  signIns: { people: 2, times: 5 },
  exports: 0,
})

describe('figures of the home screen', () => {
  it('leave out what the person may not see', () => {
    expect(figuresOf(summary({ organisations: 4 }), since).map(({ name }) => name)).toEqual(['organisations'])
  })

  it('show nought as nought', () => {
    expect(figuresOf(summary({ locked: 0 }), since)).toMatchObject([{ value: 0, urgent: false }])
  })

  it('ask for attention when accounts are locked', () => {
    expect(figuresOf(everything, since).filter(({ urgent }) => urgent)).toMatchObject([{ name: 'locked' }])
  })

  it.each([
    ['signedInToday', operationLog],
    ['locked', user],
    ['exports', exportFile],
  ] as const)('lead to a list that understands every filter of %s', (name, resource) => {
    const to = figuresOf(everything, since).find((figure) => figure.name === name)?.to ?? ''
    const shape = filterShape(resource)
    const refused = [...new URLSearchParams(to.split('?')[1])].filter(
      ([filter, value]) => !shape[filter]?.safeParse(value).success,
    )
    expect(refused).toEqual([])
  })
})

it.each([
  [0, 'night'],
  [4, 'night'],
  [5, 'morning'],
  [11, 'morning'],
  [12, 'afternoon'],
  [18, 'evening'],
  [23, 'evening'],
] as const)('greets at %i o’clock with %s', (hour, greeting) => {
  expect(greetingOf(hour)).toBe(greeting)
})
