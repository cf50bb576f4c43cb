import { deviceGroup } from '@campanile/contract/device'
import type { Row } from '@campanile/contract/kit'
import { useState } from 'react'
import { ListScreen, SoftTag, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { later } from '../../../shell/later.tsx'
import { groupPath } from '../paths.ts'

const GroupForm = later(async () => (await import('./GroupForm.tsx')).GroupForm)
const GroupFilter = later(async () => (await import('./GroupFilter.tsx')).GroupFilter)

/** A filter's members come and go without anybody doing anything. */
const followMs = 10_000

type Group = Row<typeof deviceGroup>

/** Groups by hand and by filter. */
export default function GroupsScreen() {
  const reader = useReader(deviceGroup)
  const list = useResourceList(deviceGroup, {
    refreshEvery: (rows) => (rows.some(({ kind }) => kind === 'dynamic') ? followMs : false),
  })
  const mayFilter = usePermitted(deviceGroup.actions.setFilter.perm)
  const [filtering, setFiltering] = useState<number>()
  return (
    <>
      <ListScreen
        resource={deviceGroup}
        list={list}
        identityTo={({ id }) => groupPath(id)}
        form={GroupForm}
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
