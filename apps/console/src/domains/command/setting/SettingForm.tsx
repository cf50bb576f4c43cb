import { deviceSetting, settingDetail } from '@campanile/contract/command'
import { useNavigate } from 'react-router'
import { FormDrawer } from '../../../kit/form/FormDrawer.tsx'
import { usePermitted } from '../../../kit/index.ts'
import type { AnyRow } from '../../../kit/reader.ts'
import { settingPath } from './settingPath.ts'

/** A new set is empty: the next thing to do is on its page. */
export function SettingForm({ row, onClose }: { row: AnyRow | undefined; onClose: () => void }) {
  const navigate = useNavigate()
  const mayLook = usePermitted(settingDetail.perm)
  return (
    <FormDrawer
      resource={deviceSetting}
      row={row}
      onClose={onClose}
      onSaved={(id) => !row && mayLook && navigate(settingPath({ id }))}
    />
  )
}
