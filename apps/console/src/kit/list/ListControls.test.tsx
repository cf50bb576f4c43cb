// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKeyReader } from '../../shell/shortcuts/keys.ts'
import { stepRow, tickRow } from '../../shell/shortcuts/rows.ts'
import { focusSearch } from '../../shell/shortcuts/search.ts'
import type { Reader } from '../reader.ts'
import { ListControls } from './ListControls.tsx'
import { createSelectionStore, isSelected, withRows } from './selection.ts'
import type { ResourceList } from './useResourceList.ts'

/** Nothing is measured here. Other files of the same run must not find it: they share the window. */
beforeAll(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      unobserve = () => undefined
      disconnect = () => undefined
    },
  )
})
afterAll(() => {
  vi.unstubAllGlobals()
})
const reader = { t: (key: string) => key, number: String } as unknown as Reader
const draw = (ticked: readonly number[] = []) => {
  const selection = createSelectionStore()
  selection.set(withRows(selection.get(), ticked, true))
  const opened = vi.fn()
  render(
    <div className="tab-pane" data-active="true">
      <ListControls list={{ selection, total: 3 } as ResourceList} reader={reader} actions={[]}>
        <input data-search aria-label="search" />
      </ListControls>
      {[1, 2, 3].map((id) => (
        <div key={id} data-row>
          <label className="tick-box">
            <input
              type="checkbox"
              aria-label={`tick ${id}`}
              onChange={({ target }) => selection.set(withRows(selection.get(), [id], target.checked))}
            />
          </label>
          <button type="button" className="link-button" onClick={() => opened(id)}>
            row {id}
          </button>
        </div>
      ))}
    </div>,
  )
  return { selection, opened }
}
const focused = () => document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label')
afterEach(cleanup)

describe('the keys of a list', () => {
  it('are j, k and x for its rows, a slash for its search, and g d for the devices', () => {
    const read = createKeyReader(() => 0)
    expect(['j', 'k', 'x', '/'].map(read)).toEqual(['nextRow', 'previousRow', 'tickRow', 'search'])
    expect([read('g'), read('d')]).toEqual([undefined, 'device'])
  })

  it('walk the rows to either end, and stand on what Enter opens', () => {
    const { opened } = draw()
    for (const by of [1, 1, 1, 1, -1] as const) stepRow(by)
    expect(focused()).toBe('row 2')
    fireEvent.click(document.activeElement as Element)
    expect(opened).toHaveBeenCalledWith(2)
  })

  it('tick the row they stand on, and no other', () => {
    const { selection } = draw()
    stepRow(1)
    tickRow()
    expect([1, 2, 3].filter((id) => isSelected(selection.get(), id))).toEqual([1])
  })

  it('find the search while rows are chosen, which stay chosen, and bring the bar back after it', async () => {
    const { selection } = draw([2])
    const bar = () => screen.queryByRole('region', { name: 'kit.selection.label' })
    await expect.poll(bar).not.toBeNull()
    focusSearch()
    expect(focused()).toBe('search')
    expect(bar()).toBeNull()
    expect(isSelected(selection.get(), 2)).toBe(true)
    act(() => stepRow(1))
    expect(bar()).not.toBeNull()
  })
})
