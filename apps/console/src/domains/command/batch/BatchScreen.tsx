import { runBatch, type Target } from '@campanile/contract/command'
import { devicesMax } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermitted } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { PickDialog } from '../../device/pickers.tsx'
import { nearTelling, tellDevices } from '../tellDevices.tsx'
import { BatchDevices } from './BatchDevices.tsx'
import { GroupsCard, RecentTasks, ViewsCard } from './StartingPoints.tsx'
import { useBatchDevices } from './useBatchDevices.ts'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import './batch.css'

/** Many devices, one command: chosen here and kept, or begun from a view, a group or what was done last. */
export default function BatchScreen() {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const mayRun = usePermitted(runBatch.perm)
  const { sns, devices, choose } = useBatchDevices()
  const [picking, setPicking] = useState(false)
  const tooMany = sns.length > devicesMax
  const none = sns.length === 0
  const target: Target | undefined = none || tooMany ? undefined : { sns: [...sns] }
  const chosen = (picked: Target) => {
    if ('sns' in picked) choose(picked.sns)
    setPicking(false)
  }
  return (
    <Page
      title={t('menu.entry.deviceBatch')}
      sub={t('batch.count', { count: sns.length, shown: number.format(sns.length) })}
      actions={
        <>
          {!none && <Button onClick={() => choose([])}>{t('batch.clear')}</Button>}
          <Button {...PickDialog.near} onClick={() => setPicking(true)}>
            {t('batch.add')}
          </Button>
          {mayRun && (
            <Button
              {...nearTelling}
              type="primary"
              disabled={tooMany}
              onClick={() => tellDevices({ targets: none ? [] : [{ sns: [...sns] }], door: 'batch' })}
            >
              {none ? t('batch.tell') : t('batch.tellThese', { count: sns.length, shown: number.format(sns.length) })}
            </Button>
          )}
        </>
      }
    >
      <div className="batch">
        <section className="card batch-devices" aria-label={t('batch.devices')}>
          <h2>{t('batch.devices')}</h2>
          {tooMany && (
            <p className="field-error" role="alert">
              {t('error.93018', { limit: number.format(devicesMax) })}
            </p>
          )}
          {none ? (
            <p className="card-empty">{t('batch.none')}</p>
          ) : (
            <BatchDevices
              devices={devices}
              disabled={false}
              onRemove={(gone) => choose(sns.filter((sn) => sn !== gone))}
            />
          )}
        </section>
        <RecentTasks />
        <ViewsCard mayTell={mayRun} />
        <GroupsCard mayTell={mayRun} />
      </div>
      {picking && (
        <PickDialog
          title={t('batch.add')}
          value={target}
          groups={false}
          onChoose={chosen}
          onClose={() => setPicking(false)}
        />
      )}
    </Page>
  )
}
