import type { Field } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { renderCell } from '../../../kit/cells.tsx'
import { useDepartmentNames } from '../../../kit/inputs/departmentNodes.ts'
import { createReader, useCodeTables } from '../../../kit/reader.ts'
import { loadDeclared } from '../../../shell/declared.ts'
import { type Change, changesOf, sidesOf } from './changes.ts'
import { pathLabel } from './moduleLabel.ts'

interface Props {
  module: string
  before: unknown
  after: unknown
}

/** What the log keeps of a secret: that there was one. */
const hiddenSecret = '***'

/** Field by field, what it was and what it became; a mark and bold words say which differ, not colour alone. */
export function Changes({ module, before, after }: Props) {
  const { t, i18n } = useTranslation()
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
            <th scope="row">{pathLabel(module, change.path, i18n)}</th>
            {sides.map((side) => (
              <td key={side}>
                {both && change.changed && <span aria-hidden="true">{side === 'before' ? '− ' : '+ '}</span>}
                <Value module={module} change={change} side={side} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ module, change, side }: { module: string; change: Change; side: 'before' | 'after' }): ReactNode {
  const { t, i18n } = useTranslation()
  const { data: resource } = useQuery({
    queryKey: ['declared', module],
    queryFn: async () => (await loadDeclared(module)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const name = change.path[0] ?? ''
  const field: Field | undefined = change.path.length === 1 ? resource?.fields[name] : undefined
  const tables = useCodeTables(field?.dictionary !== undefined)
  const value = change[side]
  if (value === hiddenSecret) return <span className="quiet">{t('operationLog.detail.hidden')}</span>
  if (field?.place && typeof value === 'number') return <DepartmentName id={value} />
  if (resource && field) {
    const reader = createReader(resource, i18n, tables)
    return renderCell({ value, row: { id: 0, [name]: value }, name, field, reader })
  }
  return plainText(value, t)
}

/** References are kept as numbers; a name is what people know. */
function DepartmentName({ id }: { id: number }) {
  const names = useDepartmentNames([id])
  return names.get(id) ?? `#${id}`
}

const plainText = (value: unknown, t: (key: string) => string): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return t(value ? 'kit.value.yes' : 'kit.value.no')
  if (Array.isArray(value)) return value.map((each) => plainText(each, t)).join(t('kit.value.comma')) || '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
