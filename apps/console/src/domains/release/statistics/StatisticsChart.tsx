import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Shares } from '../../../kit/chart/Shares.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { listKey, type ResourceList } from '../../../kit/list/useResourceList.ts'
import type { StatisticResource, StatisticRow } from './statistic.ts'
import '../../../kit/cards.css'

const most = 8
const parts = [
  ['succeeded', 'good'],
  ['failed', 'bad'],
  ['pending', 'accent'],
  ['cancelled', 'off'],
] as const

interface Props {
  resource: StatisticResource
  asked: ResourceList['asked']
  /** Where an item leads, for those who may open it. */
  to: ((row: StatisticRow) => string) | false
}

/** What was released to the most devices, of what is filtered; whichever page of the table is looked at. */
export function StatisticsChart({ resource, asked, to }: Props) {
  const reader = useReader(resource)
  const wire = { ...asked, sort: '-total', page: 1, pageSize: most }
  const { data } = useQuery({
    queryKey: [...listKey(resource), 'chart', wire],
    queryFn: ({ signal }) => calls.list(resource, wire, { signal }),
    placeholderData: keepPreviousData,
  })
  // What the table says of nothing, and of what went wrong, need not be said twice.
  if (!data || data.rows.length === 0) return null
  const rows = data.rows as unknown as StatisticRow[]
  const title = reader.t('releaseStatistic.chart')
  return (
    <section className="card statistics-card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        <span className="quiet">{reader.t('releaseStatistic.rate')}</span>
      </div>
      <Shares
        label={title}
        parts={parts.map(([name, tone]) => ({ word: reader.field(name), tone }))}
        valueText={reader.number}
        shares={rows.map((row) => ({
          key: row.itemKey,
          label: to ? <Link to={to(row)}>{row.itemName}</Link> : row.itemName,
          values: parts.map(([name]) => row[name]),
          end: row.rate === null ? '–' : `${reader.decimal(row.rate, 1)} %`,
        }))}
      />
    </section>
  )
}
