import { deviceGroup, groupDetail } from '@campanile/contract/device'
import { useRef, useState } from 'react'
import { FormDrawer } from '../../../kit/form/FormDrawer.tsx'
import { calls, usePermitted } from '../../../kit/index.ts'
import type { AnyRow } from '../../../kit/reader.ts'
import { GroupFilter } from './GroupFilter.tsx'

/** What a dynamic group goes by is asked for right after it was made. */
export function GroupForm({ row, onClose }: { row: AnyRow | undefined; onClose: () => void }) {
  const mayFilter = usePermitted(deviceGroup.actions.setFilter.perm)
  const [made, setMade] = useState<number>()
  const goesOn = useRef(false)
  const afterSaving = async (id: number) => {
    if (row || !mayFilter) return
    const { row: saved } = await calls.call(groupDetail, { id })
    goesOn.current = saved.kind === 'dynamic'
    if (goesOn.current) setMade(id)
  }
  if (made !== undefined) return <GroupFilter groupId={made} onClose={onClose} />
  return (
    <FormDrawer resource={deviceGroup} row={row} onClose={() => !goesOn.current && onClose()} onSaved={afterSaving} />
  )
}
