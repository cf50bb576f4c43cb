import { EllipsisOutlined } from '@ant-design/icons'
import type { Resource } from '@campanile/contract/kit'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Later } from '../../shell/later.tsx'
import type { AnyRow, Reader } from '../reader.ts'
import { type SelectionStore, useIsSelected, withRows } from './selection.ts'

/** One for all rows: an element that is the same is not drawn anew. */
const dots = <EllipsisOutlined />

/** What every row of a list shares, whether it is drawn as a table row or as a card. */
export interface RowParts {
  resource: Resource
  reader: Reader
  selection: SelectionStore
  ticks: boolean
  cells: Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  /** Where the identity leads: an address of its own, or something opened here. False: nowhere, for this person. */
  identityTo: ((row: AnyRow) => string) | false | undefined
  /** Why a row cannot be chosen. */
  unselectable?: ((row: AnyRow) => string | undefined) | undefined
  onOpen: (row: AnyRow) => void
  onMenu: (row: AnyRow, button: HTMLElement) => void
  /** Without it every row has a menu. */
  hasMenu?: ((row: AnyRow) => boolean) | undefined
  /** For what opens the row's drawer. */
  near?: Later<never>['near']
}

export function RowTick({ row, parts }: { row: AnyRow; parts: RowParts }) {
  const { selection, reader } = parts
  const reason = parts.unselectable?.(row)
  const ticked = useIsSelected(selection, row.id) && reason === undefined
  const label = reader.named('kit.list.selectRow', reader.identity(row))
  return (
    <label className="tick-box" title={reason}>
      <input
        type="checkbox"
        aria-label={reason === undefined ? label : `${label} (${reason})`}
        disabled={reason !== undefined}
        checked={ticked}
        onChange={() => selection.set(withRows(selection.get(), [row.id], !ticked))}
      />
    </label>
  )
}

export function Identity({ row, parts }: { row: AnyRow; parts: RowParts }) {
  const { resource, reader } = parts
  const own = parts.cells?.[resource.identity]
  const mono = resource.fields[resource.identity]?.kind === 'mono' ? 'mono' : undefined
  if (parts.identityTo && !own)
    return <IdentityLink to={parts.identityTo(row)} className={mono} text={reader.identity(row)} />
  const text = own ? own(row) : <span className={mono}>{reader.identity(row)}</span>
  if (parts.identityTo === false) return text
  if (parts.identityTo) return <Link to={parts.identityTo(row)}>{text}</Link>
  return (
    <button {...parts.near} type="button" className="link-button" onClick={() => parts.onOpen(row)}>
      {text}
    </button>
  )
}

/** Where it leads seldom changes with the values of its row, and a link is the dearest part of one. */
const IdentityLink = memo((props: { to: string; className: string | undefined; text: string }) => (
  <Link to={props.to}>
    <span className={props.className}>{props.text}</span>
  </Link>
))

export function RowMenuButton({ row, parts }: { row: AnyRow; parts: RowParts }) {
  if (parts.hasMenu?.(row) === false) return null
  return (
    <button
      {...parts.near}
      type="button"
      className="quiet-button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={parts.reader.named('kit.list.rowMenu', parts.reader.identity(row))}
      onClick={(event) => parts.onMenu(row, event.currentTarget)}
    >
      {dots}
    </button>
  )
}
