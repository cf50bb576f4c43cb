import { Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { LineChart } from '../../kit/chart/LineChart.tsx'
import { type ActivityUnit, linesOf, type Span, spans, stepMs, stepText } from './activity.ts'
import { HomeCard } from './HomeCard.tsx'
import { useActivity } from './useFleet.ts'

interface Props {
  span: Span
  unit: ActivityUnit
  onSpan: (span: Span) => void
  onUnit: (unit: ActivityUnit) => void
}

/** How many were there over time, and how many in the span before it. */
export function ActivityCard({ span, unit, onSpan, onUnit }: Props) {
  const { t, i18n } = useTranslation()
  const query = useActivity(span, unit)
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <HomeCard
      title={t('home.activity.title')}
      className="home-activity"
      query={query}
      isEmpty={({ rows }) => linesOf(rows).now.length === 0}
      empty={t('home.activity.empty')}
      aside={
        <span className="home-period">
          <Segmented
            size="small"
            aria-label={t('home.activity.step')}
            value={unit}
            onChange={(next) => onUnit(next as ActivityUnit)}
            options={spans[span].steps
              .toSorted((a, b) => stepMs(a) - stepMs(b))
              .map((value) => ({ value, label: t(`home.activity.unit.${value}`) }))}
          />
          <Select
            size="small"
            aria-label={t('home.span.label')}
            value={span}
            onChange={onSpan}
            options={Object.keys(spans).map((value) => ({ value: value as Span, label: t(`home.span.${value}`) }))}
          />
        </span>
      }
    >
      {({ rows, startTime, endTime }) => {
        const { now, before } = linesOf(rows)
        const first = Math.min(Date.parse(startTime), now[0]?.t ?? Number.POSITIVE_INFINITY)
        return (
          <>
            <LineChart
              label={t('home.activity.title')}
              points={now}
              compare={{ word: t('home.activity.before'), points: before }}
              step={stepMs(unit)}
              utc={unit !== 'hour'}
              from={first}
              to={Math.max(now.at(-1)?.t ?? 0, Date.parse(endTime) - stepMs(unit), first + 1)}
              valueText={(value) => number.format(value)}
              timeText={stepText(unit)}
            />
            <p className="home-legend">
              <span className="home-legend-now">{t(`home.activity.per.${unit}`)}</span>
              {before.length > 0 && <span className="home-legend-before">{t('home.activity.before')}</span>}
            </p>
          </>
        )
      }}
    </HomeCard>
  )
}
