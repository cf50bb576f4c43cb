import { deviceSetting, pushSetting, settingDetail, settingHistory } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, usePermitted } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { Page } from '../../../shell/Page.tsx'
import { useKeptInput } from '../../../shell/tabs/index.ts'
import { useTaskNews } from '../task/useTaskNews.ts'
import { DevicesCard } from './DevicesCard.tsx'
import { ItemsCard } from './ItemsCard.tsx'
import { ItemsDrawer, itemsForm } from './ItemsDrawer.tsx'
import { PushDialog } from './PushDialog.tsx'
import { isBehind, syncOf } from './settingValues.ts'
import { VersionsCard } from './VersionsCard.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import './setting.css'

const watchMs = 3_000

/** One set of settings: what it says, which devices have it, and what it said before. */
export default function SettingDetailScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useQuery({
    // Under the list's own key, so that whatever changes a row reads this again.
    queryKey: [...listKey(deviceSetting), 'detail', id],
    queryFn: ({ signal }) => calls.call(settingDetail, { id }, { signal }),
    refetchInterval: ({ state: { data: now } }) =>
      now?.devices.some((device) => syncOf(device, now.version) === 'waiting') ? watchMs : false,
  })
  useTaskNews(refetch)
  const half = useKeptInput(itemsForm) !== undefined
  const [opened, setOpened] = useState<'items' | 'push' | 'behind' | undefined>(half ? 'items' : undefined)
  const close = () => setOpened(undefined)
  const mayEdit = usePermitted(deviceSetting.perms.update)
  const mayPush = usePermitted(pushSetting.perm)
  const mayRead = usePermitted(settingHistory.perms.list)
  if (error && !data) {
    return (
      <Page title={t('deviceSetting.detail.title')}>
        <Failed error={error} onRetry={refetch} card />
      </Page>
    )
  }
  if (!data)
    return (
      <Page title={t('deviceSetting.detail.title')}>
        <Skeleton active paragraph={{ rows: 8 }} />
      </Page>
    )
  const behind = data.devices.filter((device) => isBehind(device, data.version)).map(({ sn }) => sn)
  const hasItems = Object.keys(data.items).length > 0
  return (
    <Page
      title={data.name}
      tabTitle={data.name}
      sub={data.version > 0 ? t('deviceSetting.detail.version', { version: data.version }) : undefined}
      actions={
        <>
          {mayRead && (
            <Button onClick={() => navigate(`/device/settings/history/${id}`)}>
              {t('deviceSetting.detail.history')}
            </Button>
          )}
          {mayEdit && (
            <Button {...(hasItems ? {} : { type: 'primary' as const })} onClick={() => setOpened('items')}>
              {t('deviceSetting.detail.edit')}
            </Button>
          )}
          {mayPush && hasItems && behind.length > 0 && (
            <Button onClick={() => setOpened('behind')}>
              {t('deviceSetting.detail.pushBehind', { count: behind.length })}
            </Button>
          )}
          {mayPush && hasItems && (
            <Button type="primary" onClick={() => setOpened('push')}>
              {t('deviceSetting.action.push')}
            </Button>
          )}
        </>
      }
    >
      <div className="setting-cards">
        <ItemsCard detail={data} />
        <DevicesCard detail={data} />
        <VersionsCard detail={data} />
      </div>
      {opened === 'items' && <ItemsDrawer id={id} items={data.items} onClose={close} />}
      {opened === 'push' && <PushDialog setting={data} onClose={close} />}
      {opened === 'behind' && <PushDialog setting={data} start={{ sns: behind }} onClose={close} />}
    </Page>
  )
}
