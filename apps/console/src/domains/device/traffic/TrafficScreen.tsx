import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { Page } from '../../../shell/Page.tsx'
import { fleetTrafficPath } from '../paths.ts'
import { TrafficPanel } from './TrafficPanel.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import '../device.css'

/** What one device used of its network, day by day. */
export default function TrafficScreen() {
  const { t } = useTranslation()
  const { sn = '' } = useParams()
  return (
    <Page
      title={t('deviceTraffic.title')}
      sub={
        <>
          <DeviceLink sn={sn} />
          {' · '}
          <Link to={fleetTrafficPath}>{t('deviceTraffic.all')}</Link>
        </>
      }
    >
      <TrafficPanel sn={sn} />
    </Page>
  )
}
