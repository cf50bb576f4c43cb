import type { Resource } from '@campanile/contract/kit'
import { openDeviceStates, resultOfState } from '@campanile/contract/release'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { StatisticsChart } from './StatisticsChart.tsx'
import type { StatisticResource, StatisticRow } from './statistic.ts'
import './statistics.css'

/** The figures of a row, and which devices each has counted. */
const counted = {
  total: undefined,
  succeeded: ['succeeded'],
  failed: ['failed'],
  pending: openDeviceStates,
  cancelled: ['cancelled'],
} as const
type Figure = keyof typeof counted

interface Props {
  resource: StatisticResource
  /** The list of the devices that are counted, and the page it stands on below an item's key: `/IOT/ota/statistics/:key`. */
  devices: Resource
  path: string
  /** What else of that list is counted: `{ action: 'install' }`. */
  only?: Readonly<Record<string, string>>
}

/** What became of everything that was released of a kind: a picture, the figures, and behind each figure its devices. */
export function ReleaseStatistics({ resource, devices, path, only }: Props) {
  const list = useResourceList(resource)
  const reader = useReader(resource)
  const mayOpen = usePermitted(devices.perms.list)
  const { startTime, endTime } = list.asked
  const cells = useMemo(() => {
    const told = devices.list.filters.includes('result') ? 'result' : 'state'
    const to = ({ itemKey }: StatisticRow, figure: Figure): string => {
      const search = new URLSearchParams(only)
      const states = counted[figure] ?? []
      const asked = told === 'state' ? states : new Set(states.map((state) => resultOfState[state]))
      for (const each of asked) search.append(told, each)
      if (startTime !== undefined) search.set('startTime', String(startTime))
      if (endTime !== undefined) search.set('endTime', String(endTime))
      return `${path}/${encodeURIComponent(itemKey)}${search.size > 0 ? `?${search}` : ''}`
    }
    const figure = (name: Figure) => (row: StatisticRow) => {
      const shown = reader.number(row[name])
      return (
        <span className="figure">{mayOpen && row[name] > 0 ? <Link to={to(row, name)}>{shown}</Link> : shown}</span>
      )
    }
    return {
      to: (row: StatisticRow) => to(row, 'total'),
      slots: {
        total: figure('total'),
        succeeded: figure('succeeded'),
        failed: figure('failed'),
        pending: figure('pending'),
        cancelled: figure('cancelled'),
        rate: ({ rate }: StatisticRow) => (
          <span className="figure">{rate === null ? '–' : `${reader.decimal(rate, 1)} %`}</span>
        ),
      },
    }
  }, [devices, path, only, startTime, endTime, mayOpen, reader])
  return (
    <ListScreen
      resource={resource}
      list={list}
      above={<StatisticsChart resource={resource} asked={list.asked} to={mayOpen && cells.to} />}
      cells={cells.slots}
      identityTo={mayOpen && cells.to}
    />
  )
}
