import { Segmented } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { DatePicker } from '../../../kit/inputs/calendars.ts'
import { type Network, networks, type Span, thisMonth } from './span.ts'

interface Props {
  span: Span
  onSpan: (span: Span) => void
  network: Network
  onNetwork: (network: Network) => void
}

/** A month or any days, and which network. */
export function SpanPicker({ span, onSpan, network, onNetwork }: Props) {
  const { t } = useTranslation()
  return (
    <span className="traffic-span">
      <DatePicker
        picker="month"
        allowClear={false}
        format="YYYY-MM"
        aria-label={t('deviceTraffic.month')}
        value={'month' in span ? dayjs(`${span.month}-01`) : null}
        maxDate={dayjs()}
        onChange={(next) => onSpan({ month: (next as dayjs.Dayjs).format('YYYY-MM') })}
      />
      <DatePicker.RangePicker
        aria-label={t('deviceTraffic.range')}
        value={'month' in span ? null : [dayjs(span.startDate), dayjs(span.endDate)]}
        maxDate={dayjs()}
        onChange={(ends) => {
          const [from, to] = ends ?? []
          onSpan(from && to ? { startDate: from.format('YYYY-MM-DD'), endDate: to.format('YYYY-MM-DD') } : thisMonth())
        }}
      />
      <Segmented
        value={network}
        aria-label={t('deviceTraffic.network.label')}
        onChange={onNetwork}
        options={(Object.keys(networks) as Network[]).map((each) => ({
          value: each,
          label: t(`deviceTraffic.network.${each}`),
        }))}
      />
    </span>
  )
}
