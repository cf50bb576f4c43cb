import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PlainTable } from '../../../kit/PlainTable.tsx'

interface Props {
  /** Names the card among the texts of a setting's page, as do the columns. */
  name: string
  columns: readonly string[]
  /** Read in place of a table without rows. */
  empty: string
  rows: readonly ReactNode[]
  /** Below the table. */
  children?: ReactNode
}

/** A table of a setting's page under its heading. */
export function TableCard({ name, columns, empty, rows, children }: Props) {
  const { t } = useTranslation()
  const title = t(`deviceSetting.detail.${name}`)
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="card-empty">{empty}</p>
      ) : (
        <div className="setting-table">
          <PlainTable columns={columns.map((column) => t(`deviceSetting.detail.${column}`))}>{rows}</PlainTable>
        </div>
      )}
      {children}
    </section>
  )
}
