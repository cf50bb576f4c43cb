import type { ReactNode } from 'react'
import './kit.css'

/** A small table that is read and not worked with; rows are its children. It scrolls by itself where it is too wide. */
export function PlainTable({ columns, children }: { columns: readonly string[]; children: ReactNode }) {
  return (
    <div className="plain-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            {columns.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
