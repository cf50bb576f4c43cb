import { DownOutlined, EllipsisOutlined } from '@ant-design/icons'
import { type DeviceDetail, device, deviceDetail } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Skeleton, Tabs } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { CopyButton } from '../../../kit/CopyButton.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, SoftTag, usePermitted, useReader } from '../../../kit/index.ts'
import { later } from '../../../shell/later.tsx'
import { ActionMenu } from '../../../shell/menus/ActionMenu.tsx'
import { Elsewhere } from '../../../shell/organisations/Elsewhere.tsx'
import { Page } from '../../../shell/Page.tsx'
import { useKeptInput } from '../../../shell/tabs/index.ts'
import { loadTexts } from '../../../shell/texts.ts'
import { tell } from '../../command/pickers.tsx'
import { detailKey, useDevicesLive } from '../live.ts'
import { NotServed } from '../NotServed.tsx'
import { kioskPath } from '../paths.ts'
import { IotStatus } from '../pickers.tsx'
import { TrafficPanel } from '../traffic/TrafficPanel.tsx'
import { AppsTab } from './AppsTab.tsx'
import { CommandButtons } from './CommandButtons.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { Standing } from './Standing.tsx'
import { StatusTab } from './StatusTab.tsx'
import { TasksTab } from './TasksTab.tsx'
import { Timeline } from './Timeline.tsx'
import { Warnings } from './Warnings.tsx'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import '../device.css'

const ActivateDialog = later(async () => {
  const [{ ActivateDialog: Loaded }] = await Promise.all([import('./ActivateDialog.tsx'), loadTexts(['activation'])])
  return Loaded
})
const TransferDialog = later(async () => (await import('../transfer/TransferDialog.tsx')).TransferDialog, ['transfer'])

const FormDrawer = lazy(async () => ({ default: (await import('../../../kit/form/FormDrawer.tsx')).FormDrawer }))

const everyMs = 15_000

/** One device: who it is, how it is, what it did, and everything that may be done with it. */
export default function DetailScreen() {
  const { sn = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: detailKey(sn),
    queryFn: ({ signal }) => calls.call(deviceDetail, { sn }, { signal }),
    // Values come by themselves; what was refused of it, and how old they have become, does not.
    refetchInterval: everyMs,
  })
  useDevicesLive([sn], { isPage: true })
  if (data) return <Detail detail={data} />
  return (
    <Page title={sn} tabTitle={sn}>
      {error ? (
        <Elsewhere what={sn} find={() => departmentOf(sn)}>
          <Failed error={error} onRetry={refetch} card />
        </Elsewhere>
      ) : (
        <Skeleton active paragraph={{ rows: 10 }} />
      )}
    </Page>
  )
}

const departmentOf = async (sn: string) => {
  const { row } = await calls.call(deviceDetail, { sn }, { origin: true })
  return { id: row.departmentId, name: row.departmentName }
}

function Detail({ detail }: { detail: DeviceDetail }) {
  const reader = useReader(device)
  const { t } = reader
  const { row } = detail
  const { sn } = row
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const mayEdit = usePermitted(device.perms.update)
  const half = useKeptInput(device.name) !== undefined && mayEdit
  const [opened, setOpened] = useState<'edit' | 'transfer' | 'activate' | undefined>(half ? 'edit' : undefined)
  const mayTransfer = usePermitted(device.actions.transferBatch.perm)
  const mayKiosk = usePermitted('device:kiosk:view')
  const maySeeTasks = usePermitted('deviceTask:list:detail')
  const mayRefresh = usePermitted('device:list:refresh')
  const maySeeSettings = usePermitted('device:settings:history')
  const maySeeTraffic = usePermitted('device:traffic:list')
  const never = detail.lastConnected === null
  const others = [
    ...(mayEdit ? [{ key: 'edit', label: t('kit.list.edit'), run: () => setOpened('edit') }] : []),
    ...(mayRefresh
      ? [{ key: 'refresh', label: t('deviceDetail.refresh'), run: () => tell('report', { sns: [sn] }) }]
      : []),
    ...(mayTransfer
      ? [{ key: 'transfer', label: reader.action('transferBatch'), run: () => setOpened('transfer') }]
      : []),
    ...(mayKiosk
      ? [
          {
            key: 'kiosk',
            label: t('deviceKiosk.title'),
            run: () => navigate(kioskPath(sn)),
          },
        ]
      : []),
  ]
  const tabs = [
    { key: 'status', children: <StatusTab detail={detail} /> },
    { key: 'history', children: <HistoryTab detail={detail} /> },
    ...(maySeeTasks ? [{ key: 'tasks', children: <TasksTab deviceId={row.id} /> }] : []),
    { key: 'apps', children: <AppsTab detail={detail} /> },
    ...(maySeeSettings ? [{ key: 'settings', children: <SettingsTab deviceId={row.id} /> }] : []),
    ...(maySeeTraffic ? [{ key: 'traffic', children: <TrafficPanel sn={sn} /> }] : []),
    {
      key: 'timeline',
      children: (
        <section className="card">
          <Timeline sn={sn} />
        </section>
      ),
    },
  ]
  const tab = tabs.some(({ key }) => key === params.get('tab')) ? params.get('tab') : 'status'
  return (
    <Page
      title={sn}
      tabTitle={sn}
      sub={
        <span className="device-head">
          <CopyButton bare text={sn} label={t('deviceDetail.copy')} />
          <IotStatus state={row.iotStatus} activation={row.activationStatus} />
          {never && <SoftTag>{t('deviceDetail.neverConnected')}</SoftTag>}
          {row.locked && <SoftTag tone="warning">{reader.field('locked')}</SoftTag>}
          {detail.kiosk?.on && <SoftTag tone="accent">{t('deviceKiosk.title')}</SoftTag>}
        </span>
      }
      below={[
        reader.code('deviceType', row.deviceType),
        row.model,
        row.departmentName,
        t('deviceDetail.batch', { batch: row.batchNumber }),
      ]
        .filter(Boolean)
        .join(' · ')}
      actions={
        <>
          {others.length > 0 && (
            <ActionMenu
              icon={<DownOutlined />}
              iconPlacement="end"
              content={{
                items: others.map(({ key, label }) => ({ key, label })),
                choose: (chosen) => others.find(({ key }) => key === chosen)?.run(),
              }}
            >
              {t('deviceDetail.more')}
            </ActionMenu>
          )}
          <CommandButtons sn={sn} locked={row.locked} kiosk={detail.kiosk?.on === true} />
        </>
      }
    >
      <NotServed />
      <Warnings detail={detail} />
      <Standing detail={detail} near={ActivateDialog.near} onActivate={() => setOpened('activate')} />
      <Tabs
        activeKey={tab ?? 'status'}
        destroyOnHidden
        more={{ icon: <EllipsisOutlined aria-label={t('deviceDetail.more')} /> }}
        onChange={(next) => setParams(next === 'status' ? {} : { tab: next })}
        items={tabs.map((each) => ({ ...each, label: t(`deviceDetail.tab.${each.key}`) }))}
      />
      {opened === 'edit' && (
        <Suspense>
          <FormDrawer resource={device} row={row} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
      {opened === 'activate' && <ActivateDialog detail={detail} onClose={() => setOpened(undefined)} />}
      {opened === 'transfer' && <TransferDialog devices={[row]} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
