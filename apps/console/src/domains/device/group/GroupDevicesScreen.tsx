import { deviceGroup, groupDevice } from '@campanile/contract/device'
import type { Row } from '@campanile/contract/kit'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { later } from '../../../shell/later.tsx'
import { useTabTitle } from '../../../shell/Page.tsx'
import { useDevicesLive } from '../live.ts'
import { IotStatus } from '../pick/IotStatus.tsx'
import { PickDialog } from '../pickers.tsx'
import { GroupStrip } from './GroupStrip.tsx'
import { useGroup } from './useGroup.ts'
import '../pick/pick.css'
import '../../../kit/kit.css'

const ChooseGroup = later(async () => (await import('./ChooseGroup.tsx')).ChooseGroup)
const GroupFilter = later(async () => (await import('./GroupFilter.tsx')).GroupFilter)

type Member = Row<typeof groupDevice>

/** A filter's members come and go without anybody doing anything. */
const followMs = 5_000

/** Who is in a group now. */
export default function GroupDevicesScreen() {
  const groupId = Number(useParams().groupId)
  return groupId > 0 ? <GroupDevices key={groupId} groupId={groupId} /> : <ChooseGroup />
}

function GroupDevices({ groupId }: { groupId: number }) {
  const { t } = useReader(groupDevice)
  const { data: group } = useGroup(groupId, followMs)
  useTabTitle(group?.row.name)
  const list = useResourceList(groupDevice, { fixed: { groupId }, refreshEvery: followMs })
  useDevicesLive(list.rows.map(({ sn }) => sn))
  const add = useAction(deviceGroup, 'addDevices', { onDone: list.reload })
  const remove = useAction(deviceGroup, 'removeDevices', { onDone: list.reload })
  const mayFilter = usePermitted(deviceGroup.actions.setFilter.perm)
  const [adding, setAdding] = useState<'list' | 'file'>()
  const [filtering, setFiltering] = useState(false)
  const byHand = group?.row.kind === 'manual'
  const mayAdd = byHand && add.permitted
  const mayRemove = byHand && remove.permitted
  const take = (rows: readonly Pick<Member, 'sn'>[]) => {
    const sns = rows.map(({ sn }) => sn)
    return remove.run({ groupId, sns }, sns.length)
  }
  return (
    <>
      <ListScreen
        resource={groupDevice}
        list={list}
        above={group && <GroupStrip {...group} />}
        {...useToDevice()}
        cells={{
          iotStatus: ({ iotStatus, activationStatus }) => <IotStatus state={iotStatus} activation={activationStatus} />,
        }}
        more={[{ label: 'groupDevice.action.import', shown: mayAdd, run: () => setAdding('file') }]}
        primary={
          mayAdd
            ? { label: 'groupDevice.action.add', run: () => setAdding('list') }
            : group && !byHand && mayFilter
              ? { label: 'groupDevice.action.editFilter', run: () => setFiltering(true) }
              : undefined
        }
        rowButtons={[
          { label: 'groupDevice.action.remove', confirm: true, shown: () => mayRemove, run: (row) => take([row]) },
        ]}
        bulkButtons={[
          {
            label: 'groupDevice.action.remove',
            confirm: true,
            shown: mayRemove,
            run: async (chosen) => take((await chosen.rows()) as unknown as Member[]),
          },
        ]}
      />
      {adding && group && (
        <PickDialog
          title={t('groupDevice.action.add')}
          value={undefined}
          only={{ deviceType: [group.row.deviceType] }}
          groups={false}
          start={adding}
          onChoose={async (target) => {
            if ('sns' in target && (await add.run({ groupId, sns: target.sns }, target.sns.length)))
              setAdding(undefined)
          }}
          onClose={() => setAdding(undefined)}
        />
      )}
      {filtering && <GroupFilter groupId={groupId} onClose={() => setFiltering(false)} />}
    </>
  )
}
