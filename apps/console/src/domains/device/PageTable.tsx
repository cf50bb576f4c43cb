import type { Resource, Row } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { renderCell } from '../../kit/cells.tsx'
import { Failed } from '../../kit/Failed.tsx'
import { calls, useReader } from '../../kit/index.ts'
import { Pager } from '../../kit/list/Pager.tsx'
import { listKey } from '../../kit/list/useResourceList.ts'
import type { AnyRow } from '../../kit/reader.ts'

interface Props<R extends Resource> {
  resource: R
  /** What makes these rows this device's. */
  fixed: Readonly<Record<string, number>>
  columns: readonly (keyof R['fields'] & string)[]
  sort: string
  cells?: { [K in keyof R['fields']]?: (row: Row<R>) => ReactNode }
  refreshEvery?: number
  empty: string
}

const pageSize = 10

/** A list inside a page of something else: no filters, no menu, no address of its own. */
export function PageTable<R extends Resource>({
  resource,
  fixed,
  columns,
  sort,
  cells,
  refreshEvery,
  empty,
}: Props<R>) {
  const reader = useReader(resource)
  const [page, setPage] = useState(1)
  const wire = { ...fixed, sort, page, pageSize }
  const { data, error, refetch } = useQuery({
    queryKey: [...listKey(resource), wire],
    queryFn: ({ signal }) => calls.list(resource, wire, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery ?? false,
  })
  if (error && !data) return <Failed error={error} onRetry={refetch} card />
  if (!data) return <Skeleton active />
  if (data.total === 0)
    return (
      <p className="list-state card" role="status">
        {empty}
      </p>
    )
  const own = cells as Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  return (
    <>
      <div className="tab-table">
        <table className="plain-table">
          <caption className="visually-hidden">{reader.title}</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {reader.field(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(data.rows as AnyRow[]).map((row) => (
              <tr key={row.id}>
                {columns.map((name) => {
                  const field = resource.fields[name]
                  return (
                    <td key={name}>
                      {own?.[name]?.(row) ?? (field && renderCell({ value: row[name], row, name, field, reader }))}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.total > pageSize && <Pager page={page} pageSize={pageSize} total={data.total} onPage={setPage} />}
    </>
  )
}
