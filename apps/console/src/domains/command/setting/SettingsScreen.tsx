import { deviceSetting, pushSetting, settingDetail, settingHistory } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ListScreen, usePermitted, useResourceList } from '../../../kit/index.ts'
import { later } from '../../../shell/later.tsx'
import { settingPath } from './settingPath.ts'

const PushDialog = later(async () => (await import('./PushDialog.tsx')).PushDialog)
const SettingForm = later(async () => (await import('./SettingForm.tsx')).SettingForm)

type Setting = Row<typeof deviceSetting>

/** Sets of settings; what is in one, who has it and since when is on its own page. */
export default function SettingsScreen() {
  const navigate = useNavigate()
  const list = useResourceList(deviceSetting)
  const mayLook = usePermitted(settingDetail.perm)
  const mayPush = usePermitted(pushSetting.perm)
  const mayRead = usePermitted(settingHistory.perms.list)
  const [pushed, setPushed] = useState<Setting>()
  return (
    <>
      <ListScreen
        resource={deviceSetting}
        list={list}
        identityTo={mayLook && settingPath}
        form={SettingForm}
        rowButtons={[
          {
            label: 'deviceSetting.action.push',
            shown: ({ itemCount }) => mayPush && itemCount > 0,
            run: setPushed,
          },
          {
            label: 'deviceSetting.action.history',
            shown: () => mayRead,
            run: ({ id }) => navigate(`/device/settings/history/${id}`),
          },
        ]}
      />
      {pushed && <PushDialog setting={pushed} onClose={() => setPushed(undefined)} />}
    </>
  )
}
