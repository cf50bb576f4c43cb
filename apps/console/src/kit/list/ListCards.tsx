import type { Field } from '@campanile/contract/kit'
import { memo } from 'react'
import type { AnyRow } from '../reader.ts'
import { cellOf } from './ListTable.tsx'
import { Identity, RowMenuButton, type RowParts, RowTick } from './RowParts.tsx'
import { useIsSelected } from './selection.ts'
import type { ResourceList } from './useResourceList.ts'

/** The same rows where a table would not fit: two lines each, same link, tick and menu. */
export function ListCards(props: {
  list: ResourceList
  rows: readonly AnyRow[]
  busy: boolean
  columns: readonly string[]
  parts: RowParts
}) {
  const { list, rows, busy, columns, parts } = props
  if (list.loading)
    return (
      <ul className="list-cards" aria-hidden="true">
        {['a', 'b', 'c', 'd', 'e'].map((each) => (
          <li key={each}>
            <div className="card-lines">
              <span className="bone" style={{ width: '50%' }} />
              <span className="bone" style={{ width: '80%' }} />
            </div>
          </li>
        ))}
      </ul>
    )
  return (
    <ul className={`list-cards ${busy ? 'dimmed' : ''}`} aria-busy={busy}>
      {rows.map((row) => (
        <Card key={row.id} row={row} columns={columns} parts={parts} />
      ))}
    </ul>
  )
}

/** A card has no headings: what is empty or off would only be a riddle. */
const says = (row: AnyRow, name: string) => ![null, undefined, '', false].includes(row[name] as null)

/** What only the server sets and has a few named values is where a row stands; that goes to the corner. */
const isState = (field: Field | undefined) => field?.kind === 'choice' && field.writable === 'never'

/** A bare figure, day or mark tells nothing: it goes with its name. */
const isBare = (name: string, { resource, cells }: RowParts) => {
  const kind = resource.fields[name]?.kind
  return kind === 'number' || kind === 'date' || (kind === 'text' && cells?.[name] !== undefined)
}
const labelled = (row: AnyRow, name: string, parts: RowParts) =>
  isBare(name, parts) ? (
    <>
      {parts.reader.field(name)} {cellOf(row, name, parts)}
    </>
  ) : (
    cellOf(row, name, parts)
  )

const Card = memo(function Card({ row, columns, parts }: { row: AnyRow; columns: readonly string[]; parts: RowParts }) {
  const selected = useIsSelected(parts.selection, row.id) && parts.unselectable?.(row) === undefined
  const told = columns.filter((name) => name !== parts.resource.identity && says(row, name))
  const { card } = parts.resource.list
  const kindOf = (name: string) => parts.resource.fields[name]?.kind
  const state =
    told.find((name) => isState(parts.resource.fields[name])) ??
    (card ?? told).find((name) => kindOf(name) !== 'longText')
  // Addresses and codes are for looking up; what happened where and to whom comes first.
  const isCode = (name: string) => kindOf(name) === 'mono'
  const rest = told.filter((name) => name !== state)
  const more = card
    ? card.filter((name) => name !== state && says(row, name))
    : [...rest.filter((name) => !isCode(name)), ...rest.filter(isCode)]
  return (
    <li data-row className={selected ? 'selected' : undefined}>
      {parts.ticks && <RowTick row={row} parts={parts} />}
      <div className="card-lines">
        <div className="card-line">
          <Identity row={row} parts={parts} />
          {state !== undefined && <span className="card-state">{cellOf(row, state, parts)}</span>}
        </div>
        <div className="card-line second">
          {more.slice(0, 3).map((name) => (
            <span key={name} className="card-fact" title={parts.reader.field(name)}>
              {row[name] === true ? parts.reader.field(name) : labelled(row, name, parts)}
            </span>
          ))}
        </div>
      </div>
      <RowMenuButton row={row} parts={parts} />
    </li>
  )
})
