import { deviceSetting, pushSetting, type Row, settingDetail, settingHistory } from '@campanile/contract'
import { lazy, useState } from 'react'
import { useNavigate } from 'react-router'
import { ListScreen, usePermitted, useResourceList } from '../../../kit/index.ts'
import { PushDialog } from './PushDialog.tsx'

const FormDrawer = lazy(() => import('../../../kit/form/FormDrawer.tsx').then((kit) => ({ default: kit.FormDrawer })))

type Setting = Row<typeof deviceSetting>
const detailOf = ({ id }: Pick<Setting, 'id'>) => `/device/settings/detail/${id}`

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
        {...(mayLook ? { identityTo: detailOf } : {})}
        form={({ row, onClose }) => (
          <FormDrawer
            resource={deviceSetting}
            row={row}
            onClose={onClose}
            // A new set is empty: the next thing to do is on its page.
            onSaved={(id) => !row && mayLook && navigate(detailOf({ id }))}
          />
        )}
        rowButtons={[
          { label: 'deviceSetting.action.detail', shown: () => mayLook, run: (row) => navigate(detailOf(row)) },
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
