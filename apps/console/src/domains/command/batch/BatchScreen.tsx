import { runBatch } from '@campanile/contract/command'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { usePermitted } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { SelectionButtons, SelectionCard, useSelection } from '../../device/pickers.tsx'
import { nearTelling, tellDevices } from '../tellDevices.tsx'
import { GroupsCard, RecentTasks, ViewsCard } from './StartingPoints.tsx'
import './batch.css'

/** The code of a command to more devices than may be told at once. */
const tooMany = 93018

/** Many devices, one command: chosen here and kept, or begun from a view, a group or what was done last. */
export default function BatchScreen() {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const mayRun = usePermitted(runBatch.perm)
  const selection = useSelection('batch')
  const { sns } = selection
  const counted = { count: sns.length, shown: number.format(sns.length) }
  const none = sns.length === 0
  return (
    <Page
      title={t('menu.entry.deviceBatch')}
      sub={t('deviceSelection.count', counted)}
      actions={
        <>
          <SelectionButtons selection={selection} />
          {mayRun && (
            <Button
              {...nearTelling}
              type="primary"
              disabled={selection.tooMany}
              onClick={() => tellDevices({ targets: none ? [] : [{ sns: [...sns] }], door: 'batch' })}
            >
              {none ? t('batch.tell') : t('batch.tellThese', counted)}
            </Button>
          )}
        </>
      }
    >
      <div className="batch">
        <SelectionCard selection={selection} tooMany={tooMany} />
        <RecentTasks />
        <ViewsCard mayTell={mayRun} />
        <GroupsCard mayTell={mayRun} />
      </div>
    </Page>
  )
}
