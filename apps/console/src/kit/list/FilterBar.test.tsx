// @vitest-environment happy-dom
import { choice, defineResource, number, text } from '@campanile/contract/kit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { Layered } from '../../shell/tabs/Layered.tsx'
import { calls } from '../calls.ts'
import { createReader } from '../reader.ts'
import { FilterBar, type FilterChoices } from './FilterBar.tsx'
import { hasRoomForWords } from './SelectionBar.tsx'
import type { Filtering } from './useResourceList.ts'

/** A busy machine takes longer than the second that is usual. */
const patient = { timeout: 30_000 }

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: { name: text(), warm: choice(['warm', 'cold']), maker: text(), watts: number(0, 100) },
  list: { columns: ['name'], filters: ['name', 'warm', 'maker', 'watts'], sort: 'name' },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})
const texts = {
  lamp: {
    field: { name: 'Name', warm: 'Light', maker: 'Maker', watts: 'Watts' },
    option: { warm: { warm: 'Warm', cold: 'Cold' } },
    count_one: '{{shown}} lamp',
    count_other: '{{shown}} lamps',
  },
  kit: { filter: { more: 'Filters', show: 'Show rows', showCounted: 'Show {{rows}}', colon: ': ' } },
}
beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: texts } } }))
afterEach(cleanup)

const show = (change: Partial<Filtering> = {}, choices?: FilterChoices) => {
  const list = {
    resource: lamp,
    state: { filters: {} },
    fixed: [],
    isFiltered: false,
    setFilter: vi.fn(),
    typeFilter: vi.fn(),
    endTyping: vi.fn(),
    clearFilters: vi.fn(),
    total: 1204,
    ...change,
  } as unknown as Filtering
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Layered active>
        <FilterBar list={list} reader={createReader(lamp, i18next)} choices={choices} />
      </Layered>
    </QueryClientProvider>,
  )
}

it('the drawer of all filters puts the focus into the first of them and says how many rows there are', async () => {
  show()
  fireEvent.click(screen.getByRole('button', { name: /Filters/ }))
  const first = await screen.findByRole('region', { name: 'Light' }, patient)
  await waitFor(() => expect(first.contains(document.activeElement)).toBe(true), patient)
  within(first).getByText('Warm')
  screen.getByRole('button', { name: 'Show 1,204 lamps' })
})

it('a chip keeps its value apart from its name, which is shortened first', async () => {
  show({ state: { filters: { warm: ['cold'] } } } as unknown as Filtering)
  expect(document.querySelector('.chip-label')?.textContent).toBe('Light: ')
  await expect.poll(() => document.querySelector('.chip-text:not(.chip-label)')?.textContent).toBe('Cold')
})

it('the number of all that match is told in one word where there is no room for more', () => {
  expect([hasRoomForWords(330), hasRoomForWords(700)]).toEqual([false, true])
})

it('values that are known beforehand say how many rows each would leave within the other filters', async () => {
  const total = vi
    .spyOn(calls, 'total')
    .mockImplementation((async (_: unknown, { maker }: { maker: string }) =>
      maker === 'Osram' ? { total: 999, more: true } : { total: 7, more: false }) as never)
  const known = [
    { value: 'Osram', label: 'Osram' },
    { value: 'Philips', label: 'Philips' },
  ]
  show({ asked: { warm: ['cold'] } } as Partial<Filtering>, { maker: known })
  fireEvent.click(screen.getByRole('button', { name: /Filters/ }))
  const makers = await screen.findByRole('region', { name: 'Maker' })
  expect(await within(makers).findByText('999+')).toBeTruthy()
  expect(within(makers).getByText('7')).toBeTruthy()
  expect(total.mock.calls.map(([, filters]) => filters)).toContainEqual({ warm: ['cold'], maker: 'Philips' })
})
