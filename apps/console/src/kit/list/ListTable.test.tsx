// @vitest-environment happy-dom
import { defineResource, number, text, toggle, unsorted } from '@campanile/contract/kit'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { createElement } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AnyRow, createReader } from '../reader.ts'
import { ListFoot } from './ListFoot.tsx'
import { ListTable } from './ListTable.tsx'
import { Identity, RowMenuButton, type RowParts } from './RowParts.tsx'
import { countSelected, createSelectionStore, everything } from './selection.ts'
import type { ResourceList } from './useResourceList.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: { name: text(), watts: number(0, 100), lit: unsorted(toggle()) },
  list: { columns: ['name', 'watts', 'lit'], filters: [], sort: 'name' },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})
const texts = {
  lamp: { title: 'Lamps', field: { name: 'Name', watts: 'Watts', lit: 'Lit' }, empty: 'None' },
  kit: { list: { selectRow: 'Select {{name}}', selectPage: 'Select page' }, value: { yes: 'Yes', no: 'No' } },
}
const rows: AnyRow[] = Array.from({ length: 40 }, (_, at) => ({
  id: at + 1,
  name: `L${at + 1}`,
  watts: at,
  lit: at > 20,
}))

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: texts } } }))
afterEach(cleanup)

const show = (change: Partial<ResourceList> = {}, drawn = vi.fn()) => {
  const selection = createSelectionStore()
  const list = {
    resource: lamp,
    rows,
    total: 4312,
    state: { filters: {}, sort: '-watts', page: 1, pageSize: 100 },
    selection,
    sortBy: vi.fn(),
    loading: false,
    refreshing: false,
    ...change,
  } as unknown as ResourceList
  const parts: RowParts = {
    resource: lamp,
    reader: createReader(lamp, i18next),
    selection,
    ticks: true,
    cells: {
      watts: (row) => {
        drawn(row.id)
        return String(row.watts)
      },
    },
    identityTo: undefined,
    onOpen: vi.fn(),
    onMenu: vi.fn(),
  }
  const table = { list, columns: lamp.list.columns, pinned: [], parts }
  const drawing = (shown: readonly AnyRow[]) =>
    createElement(MemoryRouter, null, createElement(ListTable, { ...table, busy: list.refreshing, rows: shown }))
  const { rerender } = render(drawing(list.rows as readonly AnyRow[]))
  return { selection, list, parts, drawn, change: (next: readonly AnyRow[]) => rerender(drawing(next)) }
}

describe('many rows', () => {
  it('draw none of their values when one is ticked', () => {
    const { drawn, selection } = show()
    drawn.mockClear()
    fireEvent.click(screen.getByLabelText('Select L32'))
    expect(drawn).not.toHaveBeenCalled()
    expect(countSelected(selection.get(), 4312)).toBe(1)
    expect(document.querySelectorAll('tr.selected')).toHaveLength(1)
  })

  it('draw the one whose value changes', () => {
    const { drawn, change } = show()
    drawn.mockClear()
    change(rows.map((row) => (row.id === 5 ? { ...row, watts: 99 } : row)))
    expect(drawn.mock.calls).toEqual([[5]])
    expect(screen.getByText('99')).toBeTruthy()
  })

  it('are drawn where they are seen, with their numbers among all, once there are too many', () => {
    const many = Array.from({ length: 150 }, (_, at) => ({ id: at + 1, name: `L${at + 1}`, watts: at, lit: false }))
    show({ rows: many as unknown as ResourceList['rows'] })
    const drawn = [...document.querySelectorAll('tbody tr[data-row]')]
    expect(drawn.length).toBeLessThan(60)
    expect(drawn[0]?.getAttribute('aria-rowindex')).toBe('2')
    expect(document.querySelector<HTMLElement>('tbody tr:last-child')?.style.height).toBe(
      `${(150 - drawn.length) * 36}px`,
    )
  })

  it('are all ticked by the box in the head, and all of the matching ones stay so when one is unticked', () => {
    const { selection } = show()
    fireEvent.click(screen.getByLabelText('Select page'))
    expect(countSelected(selection.get(), 4312)).toBe(40)
    act(() => selection.set(everything))
    fireEvent.click(screen.getByLabelText('Select L7'))
    expect(countSelected(selection.get(), 4312)).toBe(4311)
    expect(screen.getByLabelText<HTMLInputElement>('Select page').indeterminate).toBe(true)
  })
})

describe('the table', () => {
  // Roles are computed for every element, so a few rows are enough to ask for them.
  const few = { rows: rows.slice(0, 2) as ResourceList['rows'] }

  it('tells its order once, on the header cell, and offers it only where the server can sort', () => {
    const { list } = show(few)
    expect(screen.getByRole('columnheader', { name: /Watts/ }).getAttribute('aria-sort')).toBe('descending')
    expect(screen.getByRole('columnheader', { name: 'Name' }).hasAttribute('aria-sort')).toBe(false)
    expect(screen.queryByRole('button', { name: 'Lit' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(list.sortBy).toHaveBeenCalledWith('name')
  })

  it('names itself, its rows and how many there are in all', () => {
    show(few)
    expect(screen.getByRole('table', { name: 'Lamps' }).getAttribute('aria-rowcount')).toBe('4313')
    expect(screen.getByRole('rowheader', { name: 'L1' })).toBeTruthy()
  })

  it('shows bones of the same shape on the first load only', () => {
    show({ loading: true, rows: [] })
    expect(document.querySelectorAll('tbody tr:first-child td')).toHaveLength(5)
    cleanup()
    show({ refreshing: true })
    expect(document.querySelector('.bone')).toBeNull()
    expect(document.querySelector('tbody')?.className).toBe('dimmed')
  })
})

describe('a row that this person may not open', () => {
  it('has a name that leads nowhere, no menu without entries, and no key that would open it', () => {
    const reader = createReader(lamp, i18next)
    const parts = {
      resource: lamp,
      reader,
      identityTo: false,
      hasMenu: () => false,
      onOpen: vi.fn(),
      onMenu: vi.fn(),
    } as unknown as RowParts
    const row = rows[0] as AnyRow
    const list = { total: 1, sizes: {}, state: { page: 1, pageSize: 10 } } as unknown as ResourceList
    render(
      <MemoryRouter>
        <Identity row={row} parts={parts} />
        <RowMenuButton row={row} parts={parts} />
        <ListFoot list={list} reader={reader} narrow={false} ticks={false} opens={false} />
      </MemoryRouter>,
    )
    expect(screen.getByText('L1').closest('a, button')).toBeNull()
    expect(screen.queryByRole('button', { name: /L1/ })).toBeNull()
    expect([...document.querySelectorAll('kbd')].map((key) => key.textContent)).toEqual(['J', 'K'])
  })
})
