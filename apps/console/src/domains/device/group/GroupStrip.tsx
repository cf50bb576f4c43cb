import { device, deviceGroup, type groupDetail } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import { SoftTag, useReader } from '../../../kit/index.ts'
import { FilterText } from '../../../kit/list/FilterText.tsx'
import { useLocalFilters } from '../../../kit/list/useLocalFilters.ts'
import { filtersOf } from './groupFilter.ts'
import './group.css'

/** Which group this is and, for a dynamic one, what it goes by. */
export function GroupStrip({ row, filter }: AnswerOf<typeof groupDetail>) {
  const groups = useReader(deviceGroup)
  return (
    <section className="group-strip" aria-label={groups.field('name')}>
      <strong>{row.name}</strong>
      <SoftTag tone={row.kind === 'dynamic' ? 'accent' : 'off'}>{groups.option('kind', row.kind)}</SoftTag>
      <span>{groups.code('deviceType', row.deviceType)}</span>
      <span className="quiet">{row.departmentName}</span>
      {row.type && <span className="quiet">{row.type}</span>}
      {row.description && <span className="quiet">{row.description}</span>}
      {row.kind === 'dynamic' && <GoesBy key={JSON.stringify(filter)} filter={filter ?? {}} />}
    </section>
  )
}

function GoesBy({ filter }: { filter: Record<string, string | string[]> }) {
  const reader = useReader(device)
  const filters = useLocalFilters(device, filtersOf(filter), [])
  const names = Object.keys(filters.state.filters)
  return (
    <span className="group-filter">
      <span className="quiet">{reader.t('groupDevice.byFilter')}</span>
      {names.length === 0 && <span>{reader.t('groupDevice.everything')}</span>}
      {names.map((name) => (
        <span key={name} className="chip picked">
          {reader.field(name)}
          {reader.t('kit.filter.colon')}
          <FilterText name={name} list={filters} reader={reader} />
        </span>
      ))}
    </span>
  )
}
