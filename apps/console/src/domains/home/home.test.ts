import { device, type Statistics } from '@campanile/contract/device'
import { exportFile } from '@campanile/contract/file'
import type { HomeSummary } from '@campanile/contract/home'
import { filterShape, type Resource } from '@campanile/contract/kit'
import { iotLicence } from '@campanile/contract/licence'
import { operationLog } from '@campanile/contract/system'
import { describe, expect, it } from 'vitest'
import { linesOf, readView, stepText } from './activity.ts'
import { figuresOf } from './figures.ts'
import { fleetFigures, robotFigures } from './fleetFigures.ts'
import { greetingOf } from './greeting.ts'

const since = '2026-11-14T16:00:00.000Z'
const summary = (figures: Partial<HomeSummary['figures']>): HomeSummary => ({
  organisation: { id: 1, name: 'Platform', type: 3, path: [] },
  figures: { organisations: null, administrators: null, locked: null, signIns: null, exports: null, ...figures },
  announcements: [],
  notServedSince: null,
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

  it('say nothing of exports while none is being made', () => {
    expect(figuresOf(everything, since).map(({ name }) => name)).not.toContain('exports')
  })

  it.each([
    ['signedInToday', operationLog],
    ['exports', exportFile],
  ] as const)('lead to a list that understands every filter of %s', (name, resource) => {
    const to =
      figuresOf(summary({ ...everything.figures, exports: 2 }), since).find((figure) => figure.name === name)?.to ?? ''
    const shape = filterShape(resource)
    const refused = [...new URLSearchParams(to.split('?')[1])].filter(
      ([filter, value]) => !shape[filter]?.safeParse(value).success,
    )
    expect(refused).toEqual([])
  })
})

const statistics = { totalNum: 5, distributed: 4, licencesExpiring: 2, deviceCertCount: 3 } as Statistics

describe('figures of the fleet', () => {
  const understood = (to: string, resource: Resource) => {
    const query = new URLSearchParams(to.split('?')[1])
    const shape = filterShape(resource)
    return [...new Set(query.keys())].filter((name) => {
      const values = query.getAll(name)
      return !shape[name]?.safeParse(values.length > 1 ? values : values[0]).success
    })
  }

  it('lead to lists that understand every filter', () => {
    for (const { to, more } of [...fleetFigures(statistics, true), ...robotFigures(statistics)])
      for (const each of [to, more?.to ?? to])
        expect(understood(each, each.startsWith('/device/list') ? device : iotLicence)).toEqual([])
  })

  it('say which licences run out, and nothing of licences to who may not see them', () => {
    expect(fleetFigures(statistics, true).find(({ more }) => more?.urgent)).toMatchObject({
      name: 'licences',
      more: { count: 2 },
    })
    expect(fleetFigures(statistics, false).map(({ name }) => name)).not.toContain('licences')
  })
})

describe('no two tiles', () => {
  const namesOf = (figures: Partial<Statistics>) =>
    fleetFigures({ ...statistics, ...figures } as Statistics, false).map(({ name }) => name)

  it('say the same: while nothing is in the warehouse, all devices are in use', () => {
    expect(namesOf({ totalNum: 5, warehouse: 0, distributed: 5 })).toEqual(['totalDevices', 'seenToday', 'away'])
    expect(namesOf({ totalNum: 5, warehouse: 1, distributed: 4 })).toEqual([
      'totalDevices',
      'seenToday',
      'away',
      'warehouse',
      'distributed',
    ])
  })
})

describe('activity', () => {
  it('reads from the address what can be drawn, and nothing else', () => {
    const view = (text: string) => readView(new URLSearchParams(text))
    expect(view('')).toEqual({ span: '7d', unit: 'hour' })
    expect(view('span=30d&step=week')).toEqual({ span: '30d', unit: 'week' })
    expect(view('span=12m&step=hour')).toEqual({ span: '12m', unit: 'month' })
    expect(view('span=constructor&step=x')).toEqual({ span: '7d', unit: 'hour' })
  })

  it('leaves holes where nobody counted', () => {
    const { now, before } = linesOf([
      { time: '2026-03-02T10:00:00Z', active: 0, previous: null },
      { time: '2026-03-02T11:00:00Z', active: null, previous: 4 },
    ])
    expect(now.map(({ avg }) => avg)).toEqual([0])
    expect(before).toMatchObject([{ t: Date.parse('2026-03-02T11:00:00Z'), avg: 4 }])
  })

  it('calls days by the date of the server’s midnight', () => {
    expect(stepText('day')(Date.parse('2026-03-02T00:00:00Z'))).toBe('2026-03-02')
    expect(stepText('month')(Date.parse('2026-03-01T00:00:00Z'))).toBe('2026-03')
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
