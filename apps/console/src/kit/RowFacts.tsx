import type { ReactNode } from 'react'
import { renderCell } from './cells.tsx'
import { drawReference } from './Reference.tsx'
import type { AnyRow, Reader } from './reader.ts'
import { isBlank } from './values.ts'

interface Props {
  row: AnyRow
  cells?: Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  reader: Reader
}

/** What is empty or unknown is not listed. What a row does not hold at all, its own cell may still say. */
const isTold = (row: AnyRow, name: string) => !(name in row) || !(isBlank(row[name]) || row[name] === 'unknown')

/** What a row says, field by field; what it refers to by name, with a link for those who may follow it. */
export function RowFacts({ row, cells, reader }: Props) {
  const fields = Object.entries(reader.resource.fields)
  const carried = new Set(fields.map(([, field]) => field.nameField))
  const shown = fields.filter(
    ([name, field]) =>
      field.kind !== 'secret' &&
      !field.unlisted &&
      !field.untold &&
      !carried.has(name) &&
      // What a row refers to may have gone; its name is still told.
      (isTold(row, name) || (field.nameField !== undefined && !isBlank(row[field.nameField]))),
  )
  return (
    <dl className="facts">
      {shown.map(([name, field]) => (
        <div key={name}>
          <dt>{reader.field(name)}</dt>
          <dd>
            {cells?.[name]?.(row) ??
              drawReference({ row, name, field, reader }) ??
              renderCell({ value: row[name], row, name, field, reader })}
          </dd>
        </div>
      ))}
    </dl>
  )
}
