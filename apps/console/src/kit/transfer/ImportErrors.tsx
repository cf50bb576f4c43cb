import { CheckCircleFilled, WarningFilled } from '@ant-design/icons'
import type { ImportCheck } from '@campanile/client'
import type { Resource } from '@campanile/contract'
import { useState } from 'react'
import { Pager } from '../list/Pager.tsx'
import type { Reader } from '../reader.ts'

const pageSize = 50

/** What the dry run found: how many rows are right, and every error of every other row. */
export function ImportErrors({ check, resource, reader }: { check: ImportCheck; resource: Resource; reader: Reader }) {
  const { t } = reader
  const [page, setPage] = useState(1)
  const { errors, total, valid, preview } = check
  const label = (field: string | null) =>
    field !== null && resource.fields[field] ? reader.field(field) : (field ?? '–')
  const columns = Object.keys(preview[0] ?? {})
  return (
    <>
      <p role="status" className="import-summary">
        {valid === total && total > 0 ? <CheckCircleFilled className="good" /> : <WarningFilled className="warning" />}{' '}
        {t('kit.import.checked', {
          total: reader.number(total),
          valid: reader.number(valid),
          bad: reader.number(total - valid),
        })}
      </p>
      {errors.length > 0 && (
        <div className="import-table">
          <table className="plain-table">
            <caption className="visually-hidden">{t('kit.import.errors')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('kit.import.row')}</th>
                <th scope="col">{t('kit.import.column')}</th>
                <th scope="col">{t('kit.import.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {errors.slice((page - 1) * pageSize, page * pageSize).map((error, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row may have two errors in one column
                <tr key={index}>
                  <td className="figure">{error.row}</td>
                  <td>{label(error.field)}</td>
                  <td>
                    {error.message || t(`error.${error.code}`)} ({error.code})
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {errors.length > pageSize && <Pager page={page} pageSize={pageSize} total={errors.length} onPage={setPage} />}
      {preview.length > 0 && (
        <div className="import-table">
          <table className="plain-table">
            <caption>{t('kit.import.preview')}</caption>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {label(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
                <tr key={index}>
                  {columns.map((name) => (
                    <td key={name}>{String(row[name] ?? '–')}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
