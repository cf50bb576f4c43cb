import { CheckCircleFilled, WarningFilled } from '@ant-design/icons'
import type { ImportCheck } from '@campanile/client'
import type { Resource } from '@campanile/contract/kit'
import { useState } from 'react'
import { Pager } from '../list/Pager.tsx'
import type { Reader } from '../reader.ts'

const pageSize = 50

/** What the dry run found: how many rows are right, and every error of every other row. */
export function ImportErrors({ check, resource, reader }: { check: ImportCheck; resource: Resource; reader: Reader }) {
  const { t } = reader
  const [page, setPage] = useState(1)
  const { errors, total, valid, existing, preview } = check
  const label = (field: string | null) =>
    field !== null && resource.fields[field] ? reader.field(field) : (field ?? '–')
  const columns = Object.keys(preview[0] ?? {})
  return (
    <>
      <p role="status" className="import-summary">
        {valid === total && total > 0 ? <CheckCircleFilled className="good" /> : <WarningFilled className="warning" />}{' '}
        {t(existing > 0 ? 'transfer.checkedExisting' : 'transfer.checked', {
          count: total,
          total: reader.number(total),
          valid: reader.number(valid),
          existing: reader.number(existing),
          bad: reader.number(total - valid - existing),
        })}
      </p>
      {errors.length > 0 && (
        <PlainTable
          caption={t('transfer.errors')}
          heads={['row', 'column', 'reason'].map((name) => t(`transfer.${name}`))}
          rows={errors
            .slice((page - 1) * pageSize, page * pageSize)
            .map(({ row, field, message, code }) => [row, label(field), `${message || t(`error.${code}`)} (${code})`])}
        />
      )}
      {errors.length > pageSize && <Pager page={page} pageSize={pageSize} total={errors.length} onPage={setPage} />}
      {preview.length > 0 && (
        <PlainTable
          caption={t('transfer.preview')}
          heads={columns.map(label)}
          rows={preview.map((row) => columns.map((name) => String(row[name] ?? '–')))}
        />
      )}
    </>
  )
}

interface TableProps {
  caption: string
  heads: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** Rows and cells of a file have no other name than their place. */
function PlainTable({ caption, heads, rows }: TableProps) {
  return (
    <div className="import-table">
      <table className="plain-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
