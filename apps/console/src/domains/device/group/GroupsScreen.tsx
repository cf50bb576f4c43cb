import { deviceGroup, groupDetail, type Row } from '@campanile/contract'
import { useState } from 'react'
import { FormDrawer } from '../../../kit/form/FormDrawer.tsx'
import { calls, ListScreen, SoftTag, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import type { AnyRow } from '../../../kit/reader.ts'
import { groupPath } from '../paths.ts'
import { GroupFilter } from './GroupFilter.tsx'

/** A filter's members come and go without anybody doing anything. */
const followMs = 10_000

type Group = Row<typeof deviceGroup>

/** S023: groups by hand and by filter. What a dynamic one goes by is asked for right after it was made. */
export default function GroupsScreen() {
  const reader = useReader(deviceGroup)
  const list = useResourceList(deviceGroup, {
    refreshEvery: (rows) => (rows.some(({ kind }) => kind === 'dynamic') ? followMs : false),
  })
  const mayFilter = usePermitted(deviceGroup.actions.setFilter.perm)
  const [filtering, setFiltering] = useState<number>()
  const afterSaving = async (row: AnyRow | undefined, id: number) => {
    if (row) return
    const made = await calls.call(groupDetail, { id })
    if (made.row.kind === 'dynamic') setFiltering(id)
  }
  return (
    <>
      <ListScreen
        resource={deviceGroup}
        list={list}
        identityTo={({ id }) => groupPath(id)}
        form={({ row, onClose }) => (
          <FormDrawer
            resource={deviceGroup}
            row={row}
            onClose={onClose}
            onSaved={(id) => mayFilter && afterSaving(row, id)}
          />
        )}
        cells={{
          kind: ({ kind }) => (
            <SoftTag tone={kind === 'dynamic' ? 'accent' : 'off'}>{reader.option('kind', kind)}</SoftTag>
          ),
        }}
        rowButtons={[
          {
            label: 'deviceGroup.action.setFilter',
            shown: ({ kind }: Group) => mayFilter && kind === 'dynamic',
            run: ({ id }) => setFiltering(id),
          },
        ]}
      />
      {filtering !== undefined && <GroupFilter groupId={filtering} onClose={() => setFiltering(undefined)} />}
    </>
  )
}
