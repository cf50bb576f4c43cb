import { type RefObject, useEffect, useState } from 'react'

/** So few are drawn whole: whoever searches the page finds them all, and no width depends on the scroll. */
const drawnWhole = 40
/** Rows above and below what is seen, so that a scroll finds them there. */
const spare = 4
const usualRow = 36

export interface RowsInSight {
  from: number
  to: number
  /** Height of what is not drawn. */
  before: number
  after: number
}

/** Which of many rows of one height are drawn, for a window of `height` that is scrolled by `top`. */
export const rowsInSight = (count: number, row: number, top: number, height: number): RowsInSight => {
  if (count <= drawnWhole) return { from: 0, to: count, before: 0, after: 0 }
  const from = Math.min(Math.max(0, Math.floor(top / row) - spare), count)
  const to = Math.min(count, Math.max(from, Math.ceil((top + height) / row) + spare))
  return { from, to, before: from * row, after: (count - to) * row }
}

/** The frame around the table scrolls; a table of few rows is drawn whole. */
export const useRowsInSight = (table: RefObject<HTMLTableElement | null>, count: number): RowsInSight => {
  const many = count > drawnWhole
  const [{ row, top, height }, setView] = useState({ row: usualRow, top: 0, height: window.innerHeight })
  useEffect(() => {
    const frame = table.current?.parentElement
    if (!many || !frame) return
    const look = () => {
      const drawn = table.current?.querySelector<HTMLElement>('tbody tr[data-row]')?.offsetHeight
      const next = drawn || usualRow
      // Steps of half the spare rows: most scrolling draws nothing.
      const step = (next * spare) / 2
      const seen = { row: next, top: Math.floor(frame.scrollTop / step) * step, height: frame.clientHeight + step }
      setView((before) =>
        before.row === seen.row && before.top === seen.top && before.height === seen.height ? before : seen,
      )
    }
    const watch = new ResizeObserver(look)
    watch.observe(frame)
    frame.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      watch.disconnect()
      frame.removeEventListener('scroll', look)
    }
  }, [table, many])
  return rowsInSight(count, row, top, height)
}
