import type { Resource } from '@campanile/contract/kit'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { renderCell } from './cells.tsx'
import { type AnyRow, useReader } from './reader.ts'
import { isBlank } from './values.ts'
import './kit.css'

interface Props {
  resource: Resource
  row: AnyRow
  cells?: Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  onClose: () => void
  children?: ReactNode
}

/** What is empty or unknown is not listed. What a row does not hold at all, its own cell may still say. */
const isTold = (row: AnyRow, name: string) => !(name in row) || !(isBlank(row[name]) || row[name] === 'unknown')

/** Everything a row says, as plain facts; for rows nobody edits. */
export function DetailDrawer({ resource, row, cells, onClose, children }: Props) {
  const reader = useReader(resource)
  const carried = new Set(Object.values(resource.fields).map((field) => field.nameField))
  const shown = Object.entries(resource.fields).filter(
    ([name, field]) => field.kind !== 'secret' && !field.unlisted && !carried.has(name) && isTold(row, name),
  )
  return (
    <Drawer open size={480} title={reader.identity(row)} onClose={onClose}>
      <dl className="facts">
        {shown.map(([name, field]) => (
          <div key={name}>
            <dt>{reader.field(name)}</dt>
            <dd>{cells?.[name]?.(row) ?? renderCell({ value: row[name], row, name, field, reader })}</dd>
          </div>
        ))}
      </dl>
      {children}
    </Drawer>
  )
}
