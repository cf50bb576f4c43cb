import { groupDevice } from '@campanile/contract/device'
import { useNavigate } from 'react-router'
import { useReader } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { groupPath } from '../paths.ts'
import { GroupSelect } from '../pick/GroupSelect.tsx'

/** The bare address names no group. */
export function ChooseGroup() {
  const { t } = useReader(groupDevice)
  const navigate = useNavigate()
  return (
    <Page title={t('groupDevice.title')}>
      <div className="list-state card group-choice">
        <p>{t('groupDevice.choose')}</p>
        <GroupSelect
          label={t('groupDevice.field.groupId')}
          value={undefined}
          onChange={(id) => id !== undefined && navigate(groupPath(id), { replace: true })}
        />
      </div>
    </Page>
  )
}
