import { deviceDetail } from '@campanile/contract'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { calls, StateMark } from '../../../kit/index.ts'
import { describeError } from '../../../shell/errorText.ts'
import { Page } from '../../../shell/Page.tsx'
import { detailKey, useDevicesLive } from '../live.ts'
import { detailPath } from '../paths.ts'
import { KioskForm } from './KioskForm.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import '../device.css'

/** One device held to a few programs: which, how one gets out, and whether it is so now. */
export default function KioskScreen() {
  const { t } = useTranslation()
  const { sn = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: detailKey(sn),
    queryFn: ({ signal }) => calls.call(deviceDetail, { sn }, { signal }),
  })
  useDevicesLive([sn])
  const failure = error && !data ? describeError(error) : undefined
  const on = data?.kiosk?.on === true
  return (
    <Page
      title={t('deviceKiosk.title')}
      tabTitle={`${t('deviceKiosk.title')} ${sn}`}
      sub={
        <span className="device-head">
          <Link to={detailPath(sn)} className="mono">
            {sn}
          </Link>
          {data && <StateMark tone={on ? 'good' : 'off'}>{t(on ? 'deviceKiosk.on' : 'deviceKiosk.off')}</StateMark>}
        </span>
      }
    >
      {failure && (
        <div className="list-state card" role="alert">
          <strong>{failure.title}</strong>
          <p>{failure.text}</p>
          <Button onClick={() => refetch()}>{t('kit.list.retry')}</Button>
        </div>
      )}
      {!data && !failure && <Skeleton active />}
      {data && <KioskForm key={String(on)} detail={data} />}
    </Page>
  )
}
