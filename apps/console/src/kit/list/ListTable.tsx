import { sortable } from '@campanile/contract/kit'
import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { renderCell } from '../cells.tsx'
import type { AnyRow, Reader } from '../reader.ts'
import { Identity, RowMenuButton, type RowParts, RowTick } from './RowParts.tsx'
import { type RowKeys, rowKeys } from './rowKeys.ts'
import { pageMark, type SelectionStore, useIsSelected, useSelection, withRows } from './selection.ts'
import type { ResourceList } from './useResourceList.ts'
import { useRowsInSight } from './useRowsInSight.ts'

interface TableProps {
  list: ResourceList
  /** As they are at this moment; the list itself follows only which rows there are. */
  rows: readonly AnyRow[]
  /** Other rows, or newer ones, are on their way. */
  busy: boolean
  columns: readonly string[]
  pinned: readonly string[]
  parts: RowParts
}

/**
 * A real table. Thin on purpose: a tick renders one row, a new value one cell, and the semantics are the browser's own.
 * Of many rows only those in sight are drawn.
 */
export function ListTable({ list, rows, busy, columns, pinned, parts }: TableProps) {
  const { reader, resource } = parts
  const table = useRef<HTMLTableElement>(null)
  const stays = (name: string) => name === resource.identity || pinned.includes(name)

  const { from, to, before, after } = useRowsInSight(table, rows.length)
  const shape = `${columns} ${pinned} ${parts.ticks}`
  const keys = useRowKeys(rows, from, to)

  // A column that stays needs the width of those before it, which only the browser knows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew when other columns stand there
  useLayoutEffect(() => {
    const element = table.current
    if (!element) return
    const frame = element.parentElement
    const measure = () => {
      // All are read before any is written: in turns, every column would have the whole page laid out anew.
      const heads = [...element.querySelectorAll<HTMLElement>('thead [data-stays]')]
      const widths = heads.map((cell) => cell.offsetWidth)
      const beyond = frame ? Math.max(0, element.offsetWidth - frame.clientWidth) : 0
      // What is written on the table has every cell styled anew: only what is different.
      const write = (name: string, pixels: number) => {
        const value = `${pixels}px`
        if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value)
      }
      let left = 0
      for (const [at, cell] of heads.entries()) {
        write(`--left-${cell.dataset.stays}`, left)
        left += widths[at] ?? 0
      }
      write('--beyond', beyond)
    }
    // It is called when watching begins, too, once the page has been laid out anyway.
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    if (frame) watch.observe(frame)
    return () => watch.disconnect()
  }, [shape])
  useMovedMark(table)

  // Columns fit what stands in them, and rows that come into sight must not push them about: they only ever grow.
  useEffect(() => {
    if (rows.length > to - from) widen(table.current, shape)
  }, [shape, from, to, rows.length])

  return (
    <table ref={table} className="list-table" aria-busy={busy || list.loading} aria-rowcount={list.total + 1}>
      <caption className="visually-hidden">{reader.title}</caption>
      <thead>
        <tr>
          {parts.ticks && (
            <th scope="col" className="tick stays" data-stays={0} style={{ left: 0 }}>
              <PageTick store={list.selection} ids={choosable(rows, parts)} reader={reader} />
            </th>
          )}
          {columns.map((name, index) => (
            <HeaderCell key={name} name={name} list={list} parts={parts} place={stays(name) ? index + 1 : undefined} />
          ))}
          <th scope="col" className="menu stays-right">
            <span className="visually-hidden">{reader.t('kit.list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody className={busy ? 'dimmed' : undefined}>
        {before > 0 && <tr className="not-drawn" style={{ height: before }} />}
        {list.loading
          ? skeleton(columns.length + Number(parts.ticks) + 1)
          : rows
              .slice(from, to)
              .map((row, index) => (
                <TableRow
                  key={keys.get(row.id)}
                  row={row}
                  index={(list.state.page - 1) * list.state.pageSize + from + index + 2}
                  columns={columns}
                  pinned={pinned}
                  parts={parts}
                />
              ))}
        {after > 0 && <tr className="not-drawn" style={{ height: after }} />}
      </tbody>
    </table>
  )
}

const useRowKeys = (rows: readonly AnyRow[], from: number, to: number): RowKeys => {
  const held = useRef<RowKeys>(new Map())
  held.current = rowKeys(
    held.current,
    rows.slice(from, to).map(({ id }) => id),
  )
  return held.current
}

/** Columns stay in sight by a costly kind of cell, so they are that only in a table that is moved sideways. */
const useMovedMark = (table: RefObject<HTMLTableElement | null>) => {
  useEffect(() => {
    const frame = table.current?.parentElement
    if (!frame) return
    const mark = (moved: boolean) => table.current?.toggleAttribute('data-moved', moved)
    const look = () => mark(frame.scrollLeft > 0)
    // A wheel is heard before it moves anything, so that the first frame has them in their place too.
    const hear = ({ deltaX, shiftKey }: WheelEvent) => (deltaX !== 0 || shiftKey) && mark(true)
    frame.addEventListener('scroll', look, { passive: true })
    frame.addEventListener('wheel', hear, { passive: true })
    look()
    return () => {
      frame.removeEventListener('scroll', look)
      frame.removeEventListener('wheel', hear)
    }
  }, [table])
}

/** Keeps each column at least as wide as it has been; other columns begin anew. */
const widen = (table: HTMLTableElement | null, shape: string) => {
  const heads = table ? [...table.querySelectorAll<HTMLElement>('thead th')] : []
  const isNew = table?.dataset.shape !== shape
  if (table) table.dataset.shape = shape
  if (isNew) for (const head of heads) head.style.minWidth = ''
  const widths = heads.map((head) => head.offsetWidth)
  for (const [at, head] of heads.entries()) head.style.minWidth = `${widths[at]}px`
}

function HeaderCell(props: { name: string; list: ResourceList; parts: RowParts; place: number | undefined }) {
  const { name, list, parts, place } = props
  const { sort } = list.state
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const label = parts.reader.field(name)
  return (
    <th
      scope="col"
      className={cellClass(parts, name, place)}
      aria-sort={direction}
      data-stays={place}
      style={place === undefined ? undefined : { left: `var(--left-${place})` }}
    >
      {sortable(list.resource).includes(name) ? (
        <button type="button" className="sort" onClick={() => list.sortBy(name)}>
          {label}
          <span aria-hidden="true" className="sort-mark">
            {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}
          </span>
        </button>
      ) : (
        label
      )}
    </th>
  )
}

/** Figures stand under each other by their last digit; what a screen draws itself begins at the left like words. */
const cellClass = ({ resource, cells }: RowParts, name: string, place: number | undefined) =>
  [place !== undefined && 'stays', resource.fields[name]?.kind === 'number' && !cells?.[name] && 'right']
    .filter(Boolean)
    .join(' ')

interface RowProps {
  row: AnyRow
  index: number
  columns: readonly string[]
  pinned: readonly string[]
  parts: RowParts
}

const TableRow = memo(function TableRow({ row, index, columns, pinned, parts }: RowProps) {
  const { resource, selection } = parts
  const selected = useIsSelected(selection, row.id) && parts.unselectable?.(row) === undefined
  return (
    <tr data-row className={selected ? 'selected' : undefined} aria-rowindex={index}>
      {parts.ticks && (
        <td className="tick stays" style={{ left: 0 }}>
          <RowTick row={row} parts={parts} />
        </td>
      )}
      {columns.map((name, column) => {
        const place = name === resource.identity || pinned.includes(name) ? column + 1 : undefined
        const style = place === undefined ? undefined : { left: `var(--left-${place})` }
        const className = cellClass(parts, name, place)
        // The row's name is its header, so that a reader hears it with every cell.
        return name === resource.identity ? (
          <th key={name} scope="row" className={`identity ${className}`} style={style}>
            <Identity row={row} parts={parts} />
          </th>
        ) : (
          <td key={name} className={className} style={style}>
            <CellValue row={row} name={name} parts={parts} />
          </td>
        )
      })}
      <td className="menu stays-right">
        <RowMenuButton row={row} parts={parts} />
      </td>
    </tr>
  )
})

interface CellProps {
  row: AnyRow
  name: string
  parts: RowParts
}
/** What the cell says is still the same. A screen's own cell may look at the whole row. */
const isSameCell = (before: CellProps, { row, name, parts }: CellProps) => {
  if (before.parts !== parts || before.name !== name) return false
  if (before.row === row) return true
  const nameField = parts.resource.fields[name]?.nameField ?? name
  return !parts.cells?.[name] && before.row[name] === row[name] && before.row[nameField] === row[nameField]
}
const CellValue = memo(({ row, name, parts }: CellProps) => cellOf(row, name, parts), isSameCell)

export const cellOf = (row: AnyRow, name: string, { resource, cells, reader }: RowParts): ReactNode => {
  const own = cells?.[name]
  const field = resource.fields[name]
  if (own) return own(row)
  return field ? renderCell({ value: row[name], row, name, field, reader }) : null
}

const choosable = (rows: readonly AnyRow[], { unselectable }: RowParts) =>
  rows.filter((row) => unselectable?.(row) === undefined).map((row) => row.id)

export function PageTick(props: { store: SelectionStore; ids: readonly number[]; reader: Reader }) {
  const { store, ids, reader } = props
  const mark = pageMark(useSelection(store), ids)
  return (
    <label className="tick-box">
      <input
        type="checkbox"
        aria-label={reader.t('kit.list.selectPage')}
        disabled={ids.length === 0}
        checked={mark === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = mark === 'some'
        }}
        onChange={() => store.set(withRows(store.get(), ids, mark !== 'all'))}
      />
    </label>
  )
}

const skeleton = (width: number) =>
  Array.from({ length: 8 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows stand for nothing
    <tr key={row}>
      {Array.from({ length: width }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cells stand for nothing
        <td key={column}>
          <span className="bone" style={{ width: `${40 + ((row * 7 + column * 13) % 5) * 12}%` }} />
        </td>
      ))}
    </tr>
  ))
