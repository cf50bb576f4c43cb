import type { Row } from '@campanile/contract/kit'
import { releaseDetail, releaseDeviceMachine } from '@campanile/contract/release'
import { releaseResource, resourceRelease, resourceReleased } from '@campanile/contract/resource'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useDeclaredActions } from '../../kit/list/useDeclaredActions.tsx'
import { askList } from '../../kit/list/useResourceList.ts'
import { later } from '../../shell/later.tsx'

const ChooseResource = later(async () => (await import('./ChooseResource.tsx')).ChooseResource)

type Released = Row<typeof resourceReleased>

export const ask = (search: string) => askList(resourceReleased, search)

const tones = {
  unprocessed: 'off',
  downloading: 'warning',
  success: 'good',
  failure: 'bad',
  pendingRetry: 'warning',
  cancelled: 'off',
} as const
const isUnderWay = ({ result }: Released) => ['unprocessed', 'downloading', 'pendingRetry'].includes(result)
const watchMs = 5_000
const events = ['cancel', 'retry'] as const

/** Which resource went to which device, into which folder, and what became of it. */
export default function ReleasedScreen() {
  const list = useResourceList(resourceReleased, {
    refreshEvery: (rows) => (rows.some(isUnderWay) ? watchMs : false),
  })
  const reader = useReader(resourceReleased)
  const actions = useDeclaredActions(resourceReleased, list)
  const navigate = useNavigate()
  const mayOpen = usePermitted(releaseDetail.perm)
  const mayAdd = usePermitted(releaseResource.perm)
  const mayRelease = usePermitted(resourceRelease.perms.release)
  const [choosing, setChoosing] = useState(false)
  const blockedBy = (label: string) => {
    const event = events.find((each) => label.endsWith(`.${each}`))
    return (row: Released) =>
      event && !releaseDeviceMachine.can(row.state, event) ? reader.t(`resourceReleased.why.${event}`) : undefined
  }
  return (
    <>
      <ListScreen
        resource={resourceReleased}
        list={list}
        cells={{
          result: ({ result }: Released) => (
            <StateMark tone={tones[result]}>{reader.option('result', result)}</StateMark>
          ),
        }}
        primary={
          mayAdd && mayRelease ? { label: 'resourceReleased.action.release', run: () => setChoosing(true) } : undefined
        }
        bulkButtons={actions.bulkButtons}
        rowButtons={[
          {
            label: 'resourceReleased.action.open',
            shown: () => mayOpen,
            run: ({ releaseId }) => navigate(`/release/detail/${releaseId}`),
          },
          ...actions.rowButtons.map((button) => ({ ...button, blocked: blockedBy(button.label) as never })),
        ]}
      />
      {actions.dialog}
      {choosing && <ChooseResource onClose={() => setChoosing(false)} />}
    </>
  )
}
