import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

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
          <table className="plain-table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {t(`deviceSetting.detail.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{rows}</tbody>
          </table>
        </div>
      )}
      {children}
    </section>
  )
}
