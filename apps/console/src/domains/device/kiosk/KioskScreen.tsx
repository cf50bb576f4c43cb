import { deviceKiosk } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, StateMark } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { detailKey, useDevicesLive } from '../live.ts'
import { KioskForm } from './KioskForm.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import '../device.css'

/** One device held to a few programs: which, how one gets out, and whether it is so now. */
export default function KioskScreen() {
  const { t } = useTranslation()
  const { sn = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: [...detailKey(sn), 'kiosk'],
    queryFn: ({ signal }) => calls.call(deviceKiosk, { sn }, { signal }),
  })
  useDevicesLive([sn])
  const on = data?.kiosk?.on === true
  return (
    <Page
      title={t('deviceKiosk.title')}
      sub={
        <span className="device-head">
          <DeviceLink sn={sn} />
          {data && <StateMark tone={on ? 'good' : 'off'}>{t(on ? 'deviceKiosk.on' : 'deviceKiosk.off')}</StateMark>}
        </span>
      }
    >
      {error && !data && <Failed error={error} onRetry={refetch} card />}
      {!data && !error && <Skeleton active />}
      {data && <KioskForm key={String(on)} sn={sn} detail={data} />}
    </Page>
  )
}
