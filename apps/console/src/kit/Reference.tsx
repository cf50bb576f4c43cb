import type { Field, RefTarget } from '@campanile/contract/kit'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { usePermission } from '../shell/permissions.ts'
import { refNames } from './cells.tsx'
import { DeviceLink } from './DeviceLink.tsx'
import type { AnyRow, Reader } from './reader.ts'
import { isBlank } from './values.ts'

interface Named {
  target: RefTarget
  id: number
  name: string
}

/** Another row by its name, which leads to its page where it has one, for those who may open it. */
export function Reference({ target, id, name }: Named) {
  const opens = target.palette?.opens
  const may = usePermission(opens?.perm ?? '')
  if (!opens || !may) return <span title={name}>{name}</span>
  const values: Record<string, unknown> = { id, [target.label]: name }
  return (
    <Link to={opens.path.replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(values[field])))}>
      {name}
    </Link>
  )
}

interface Drawn {
  row: AnyRow
  name: string
  field: Field
  reader: Reader
}

/** What a field says that names other rows: each with its link. Nothing for every other field. */
export const drawReference = ({ row, name, field, reader }: Drawn): ReactNode => {
  const value = row[name]
  // What it named has gone, and the row still knows what it was called.
  if (isBlank(value)) return isBlank(row[field.nameField ?? '']) ? undefined : refNames({ row, field, value, reader })
  if (field.place && isBlank(row[field.nameField ?? ''])) return refNames({ row, field, value, reader })
  if (field.serial) return <DeviceLink sn={String(value)} />
  const target = field.target?.()
  if (!target || (field.kind === 'refs' && field.nameField === undefined)) return undefined
  const names = refNames({ row, field, value, reader })
  return (Array.isArray(value) ? value : [value]).map((id: number, at) => (
    <Fragment key={id}>
      {at > 0 && reader.t('kit.value.comma')}
      <Reference target={target} id={id} name={names[at] ?? `#${id}`} />
    </Fragment>
  ))
}
