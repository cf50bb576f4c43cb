import type { Row } from '@campanile/contract/kit'
import type { operationLog } from '@campanile/contract/system'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { renderCell } from '../../../kit/cells.tsx'
import { useDepartmentNames } from '../../../kit/inputs/departmentNodes.ts'
import { useRefNames } from '../../../kit/inputs/useRefNames.ts'
import { Reference } from '../../../kit/Reference.tsx'
import { createReader, useCodeTables } from '../../../kit/reader.ts'
import { type Change, changesOf, sidesOf } from './changes.ts'
import { columnLabel, type Declarations, loadDeclarations, type Place, pathLabel, placeOf } from './logged.ts'

interface Props {
  line: Pick<Row<typeof operationLog>, 'module' | 'description'>
  before: unknown
  after: unknown
}

/** What the log keeps of a secret: that there was one. */
const hiddenSecret = '***'

/** Field by field, what it was and what it became; a mark and bold words say which differ, not colour alone. */
export function Changes({ line: { module, description }, before, after }: Props) {
  const { t, i18n } = useTranslation()
  const { data: given = { module, own: undefined, listed: undefined, args: undefined } } = useQuery({
    queryKey: ['declared', module, description],
    queryFn: () => loadDeclarations(module, description),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const changes = changesOf(before, after)
  const sides = sidesOf(before, after)
  if (changes.length === 0) return <p className="quiet">{t('operationLog.detail.noChanges')}</p>
  const both = sides.length === 2
  return (
    <table className="plain-table changes">
      <caption className="visually-hidden">{t('operationLog.detail.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('operationLog.detail.fieldColumn')}</th>
          {sides.map((side) => (
            <th key={side} scope="col">
              {t(`operationLog.detail.${both ? side : 'value'}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.path.join('.')} data-changed={both && change.changed}>
            <th scope="row">{pathLabel(change.path, given, i18n)}</th>
            {sides.map((side) => (
              <td key={side}>
                {both && change.changed && <span aria-hidden="true">{side === 'before' ? '− ' : '+ '}</span>}
                <Value given={given} change={change} side={side} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ given, change, side }: { given: Declarations; change: Change; side: 'before' | 'after' }): ReactNode {
  const { t, i18n } = useTranslation()
  const { resource, name, field } = placeOf(change.path, given)
  const tables = useCodeTables(field?.dictionary !== undefined)
  const value = change[side]
  if (value === hiddenSecret) return <span className="quiet">{t('operationLog.detail.hidden')}</span>
  if (change.path.length === 1 && (name === 'columns' || name === 'sort') && field === undefined)
    return (Array.isArray(value) ? value : [value])
      .map((column) => columnLabel(String(column ?? ''), given, i18n))
      .join(t('kit.value.comma'))
  const ids = idsOf(value, change.path)
  if (ids && field?.place) return <Departments ids={ids} field={field} />
  if (ids && resource && field?.target && (field.kind === 'ref' || field.nameField))
    return <Others ids={ids} resource={resource} name={name} field={field} />
  if (resource && field) {
    const reader = createReader(resource, i18n, tables)
    // A filter asks for several values of a field that has one.
    if (Array.isArray(value) && !manyOf.has(field.kind))
      return value.map((each) => (
        <span key={String(each)} className="logged-value">
          {renderCell({ value: each, row: { id: 0 }, name, field, reader })}{' '}
        </span>
      ))
    return renderCell({ value, row: { id: 0, [name]: value }, name, field, reader })
  }
  return plainText(value, t)
}

const manyOf = new Set(['choices', 'dictionaries', 'refs', 'weekdays', 'ipList', 'lines'])

const idsOf = (value: unknown, path: readonly string[]): number[] | undefined => {
  const all = Array.isArray(value) ? value : [value]
  return path.length > 0 && all.length > 0 && all.every((each) => typeof each === 'number') ? all : undefined
}

interface Named {
  ids: readonly number[]
  field: NonNullable<Place['field']>
}

// References are kept as numbers; a name is what people know.

function Departments({ ids, field }: Named) {
  return <Names ids={ids} field={field} names={useDepartmentNames(ids)} />
}

function Others({ ids, field, resource, name }: Named & { resource: NonNullable<Place['resource']>; name: string }) {
  return <Names ids={ids} field={field} names={useRefNames(resource, name, ids)} />
}

function Names({ ids, field, names }: Named & { names: ReadonlyMap<number, string> }): ReactNode {
  const { t } = useTranslation()
  const target = field.target?.()
  return ids.map((id, at) => (
    <span key={id}>
      {at > 0 && t('kit.value.comma')}
      {target && names.has(id) ? <Reference target={target} id={id} name={names.get(id) ?? ''} /> : `#${id}`}
    </span>
  ))
}

const plainText = (value: unknown, t: (key: string) => string): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return t(value ? 'kit.value.yes' : 'kit.value.no')
  if (Array.isArray(value)) return value.map((each) => plainText(each, t)).join(t('kit.value.comma')) || '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
