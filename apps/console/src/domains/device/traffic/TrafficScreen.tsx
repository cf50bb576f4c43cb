import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { Page } from '../../../shell/Page.tsx'
import { detailPath, fleetTrafficPath } from '../paths.ts'
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
          <Link to={detailPath(sn)} className="mono">
            {sn}
          </Link>
          {' · '}
          <Link to={fleetTrafficPath}>{t('deviceTraffic.all')}</Link>
        </>
      }
    >
      <TrafficPanel sn={sn} />
    </Page>
  )
}
