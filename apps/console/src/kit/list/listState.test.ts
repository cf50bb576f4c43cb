import { resources } from '@campanile/contract'
import { choice, defineResource, dictionary, text, timestamp, toggle } from '@campanile/contract/kit'
import { department } from '@campanile/contract/organisation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Filters,
  filterTexts,
  type ListState,
  nextSort,
  readListState,
  withFilter,
  writeListState,
} from './listState.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: {
    name: text(),
    colour: choice(['red', 'green', 'blue']),
    watts: choice([5, 40, 60]),
    lit: toggle(),
    kind: dictionary('lampKind'),
    departmentId: department(),
    createTime: timestamp(),
  },
  list: {
    columns: ['name', 'watts', 'createTime'],
    filters: ['name', 'colour', 'watts', 'lit', 'kind', 'departmentId', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})
const defaults = { sort: lamp.list.sort, pageSize: 20 }
const read = (search: string) => readListState(lamp, search, defaults)

const some = <T>(values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
const time = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString())
const filters = fc.record(
  {
    name: fc
      .string({ maxLength: 128, unit: 'grapheme' })
      .map((each) => each.trim())
      .filter((each) => each !== '' && each.length <= 128),
    colour: some(['red', 'green', 'blue']),
    watts: some([5, 40, 60]),
    lit: fc.boolean(),
    kind: fc.uniqueArray(fc.nat(999), { minLength: 1, maxLength: 5 }),
    departmentId: fc.uniqueArray(fc.nat(999_999_999), { minLength: 1, maxLength: 5 }),
    startTime: time,
    endTime: time,
  },
  { requiredKeys: [] },
)
const states: fc.Arbitrary<ListState> = fc
  .record({
    filters: filters as fc.Arbitrary<Filters>,
    sort: fc.constantFrom('name', '-name', 'watts', '-createTime'),
    page: fc.integer({ min: 1, max: 1_000_000 }),
    pageSize: fc.integer({ min: 1, max: 199 }),
    view: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
  })
  .map(({ view, ...rest }) => (view === undefined ? rest : { ...rest, view }))

describe('the address of a list', () => {
  it('reads back exactly what was written', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(read(writeListState(state, defaults))).toEqual(state)
      }),
    )
  })

  it('says nothing about a clean list', () => {
    expect(writeListState(read(''), defaults)).toBe('')
  })

  it('names the page size with every further page, so that a shared address shows the same rows', () => {
    expect(writeListState({ ...read(''), page: 3 }, defaults)).toBe('?page=3&pageSize=20')
  })

  it('drops what cannot be read instead of guessing', () => {
    expect(read('?colour=purple&watts=x&lit=maybe&page=0&pageSize=200&sort=-lit&startTime=yesterday&view=-1')).toEqual(
      read(''),
    )
  })

  it('never throws, whatever somebody types', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(read(`?${text}`).page).toBeGreaterThan(0)
      }),
    )
    for (const resource of resources)
      expect(readListState(resource, '?page=2', { sort: resource.list.sort, pageSize: 10 }).page).toBe(2)
  })
})

describe('filters', () => {
  it('disappear when they become blank', () => {
    expect(withFilter({ name: 'a', watts: [5] }, { name: '', watts: [], lit: false })).toEqual({ lit: false })
  })

  it('travel as text in a body, as they do in a query', () => {
    expect(filterTexts({ watts: [5, 40], lit: false, name: 'a', parent: 7 })).toEqual({
      watts: ['5', '40'],
      lit: 'false',
      name: 'a',
      parent: '7',
    })
  })
})

it('a header goes up, down, and back to the list’s own order', () => {
  const steps = ['-createTime']
  for (let click = 0; click < 3; click += 1) steps.push(nextSort(steps.at(-1) ?? '', 'name', '-createTime'))
  expect(steps).toEqual(['-createTime', 'name', '-name', '-createTime'])
  expect(nextSort('-createTime', 'createTime', '-createTime')).toBe('createTime')
  expect(nextSort('createTime', 'createTime', '-createTime')).toBe('-createTime')
})
