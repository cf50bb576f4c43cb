import type { Statistics } from '@campanile/contract/device'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Donut } from '../../kit/chart/Donut.tsx'
import { HomeCard } from './HomeCard.tsx'
import type { useStatistics } from './useFleet.ts'

const inUse = 'activationStatus=1&activationStatus=2&activationStatus=3'
const slicesOf = ({ onlineNum, offlineNum, flappingNum }: Statistics) =>
  [
    { key: 'online', value: onlineNum, tone: 'good' },
    { key: 'offline', value: offlineNum, tone: 'off' },
    { key: 'flapping', value: flappingNum, tone: 'warning' },
  ] as const

/** Who is there at this moment, of all that are in use. */
export function OnlineCard({ query }: { query: ReturnType<typeof useStatistics> }) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <HomeCard
      title={t('home.online.title')}
      query={query}
      isEmpty={({ distributed }) => distributed === 0}
      empty={t('home.online.empty')}
    >
      {(statistics) => (
        <>
          <Donut
            label={t('home.online.title')}
            slices={slicesOf(statistics).map((slice) => ({
              ...slice,
              label: t(`device.option.iotStatus.${slice.key}`),
            }))}
            valueText={(value) => number.format(value)}
            link={({ key }, content) => <Link to={`/device/list?iotStatus=${key}&${inUse}`}>{content}</Link>}
          >
            <strong className="home-share">
              {percent.format((statistics.onlineNum + statistics.flappingNum) / statistics.distributed)}
            </strong>
            <span className="quiet">{t('home.online.now')}</span>
          </Donut>
          <p className="home-note">{t('home.online.help')}</p>
        </>
      )}
    </HomeCard>
  )
}
