import { type CommandName, commandTextKey, type OneTarget } from '@campanile/contract/command'
import { device, deviceGroup } from '@campanile/contract/device'
import type { Row } from '@campanile/contract/kit'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, SoftTag, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { filterTexts } from '../../../kit/list/listState.ts'
import type { Chosen } from '../../../kit/list/SelectionBar.tsx'
import { askList } from '../../../kit/list/useResourceList.ts'
import { later } from '../../../shell/later.tsx'
import { loadTexts } from '../../../shell/texts.ts'
import { isOffered, tell, tellDevices, useCommands } from '../../command/pickers.tsx'
import { Battery } from '../Battery.tsx'
import { useDevicesLive } from '../live.ts'
import { NotServed } from '../NotServed.tsx'
import { fleetTrafficPath, kioskPath, trafficPath } from '../paths.ts'
import { IotStatusIn } from '../pick/IotStatus.tsx'
import type { Movable } from '../transfer/TransferDialog.tsx'
import { useGroupChoices } from './groupChoices.ts'
import { LiveSwitch, OnlineNow } from './LiveSwitch.tsx'

const SaveAsGroup = later(async () => (await import('../group/SaveAsGroup.tsx')).SaveAsGroup)
const TransferDialog = later(async () => (await import('../transfer/TransferDialog.tsx')).TransferDialog, ['transfer'])
const RefusedPanel = later(async () => {
  const [{ RefusedPanel: Loaded }] = await Promise.all([import('./RefusedPanel.tsx'), loadTexts(['refused'])])
  return Loaded
})

/** Newcomers and totals are asked for this often; what is on the screen changes by itself. */
const newcomersMs = 10_000
/** Of all commands those most often sent to many stand in sight. */
const first: readonly CommandName[] = ['message', 'reboot', 'lock']
const activationTones = ['off', 'warning', 'good', 'accent'] as const

export const ask = (search: string) => askList(device, search)

/** The fleet: every device within reach, alive on the screen. */
export default function DevicesScreen() {
  const reader = useReader(device)
  const navigate = useNavigate()
  const [live, setLive] = useState(true)
  const [refused, setRefused] = useState(false)
  const [moving, setMoving] = useState<readonly Movable[]>()
  const list = useResourceList(device, { refreshEvery: live ? newcomersMs : false })
  useDevicesLive(
    list.rows.map(({ sn }) => sn),
    { paused: !live },
  )
  const groups = useGroupChoices()
  const commands = useCommands()
  const targetOf = async (chosen: Chosen): Promise<OneTarget> => {
    const held = list.selection.get()
    return held.kind === 'all'
      ? { filter: filterTexts(list.asked), except: [...held.except] }
      : { sns: ((await chosen.rows()) as unknown as Movable[]).map(({ sn }) => sn) }
  }
  const toMany = (label: string, command?: CommandName) => ({
    label,
    run: async (chosen: Chosen) => {
      const target = await targetOf(chosen)
      const from = 'sns' in target ? 'selection' : 'filter'
      tellDevices({ targets: [{ ...target, label: reader.t(`command.from.${from}`) }], command })
    },
  })
  const maySaveGroup = usePermitted(deviceGroup.actions.saveFilter.perm)
  const [saving, setSaving] = useState(false)
  const mayTransfer = usePermitted(device.actions.transferBatch.perm)
  const maySeeTraffic = usePermitted('device:traffic:list')
  const mayKiosk = usePermitted('device:kiosk:view')

  const cells = useMemo(
    () => ({
      iotStatus: ({ iotStatus, activationStatus, pending }: Row<typeof device>) => (
        <>
          <IotStatusIn state={iotStatus} activation={activationStatus} reader={reader} />
          {pending > 0 && <span className="pending">{reader.t('device.pending', { count: pending })}</span>}
        </>
      ),
      battery: ({ battery, charging, iotStatus }: Row<typeof device>) => (
        <Battery percent={battery} charging={charging} old={iotStatus === 'offline'} reader={reader} />
      ),
      activationStatus: ({ activationStatus }: Row<typeof device>) => (
        <SoftTag tone={activationTones[activationStatus]}>
          {reader.option('activationStatus', activationStatus)}
        </SoftTag>
      ),
      locked: ({ locked }: Row<typeof device>) =>
        locked ? (
          <SoftTag tone="warning">{reader.field('locked')}</SoftTag>
        ) : (
          <span className="nothing">{reader.t('kit.value.no')}</span>
        ),
    }),
    [reader],
  )

  return (
    <>
      <ListScreen
        resource={device}
        list={list}
        cells={cells}
        above={<NotServed />}
        {...useToDevice()}
        filterChoices={{ groupId: groups }}
        sub={!list.isFiltered && <OnlineNow live={live} />}
        toolbar={<LiveSwitch live={live} onChange={setLive} />}
        more={[
          { label: 'device.refused.open', run: () => setRefused(true) },
          { label: 'deviceTraffic.byApp', shown: maySeeTraffic, run: () => navigate(fleetTrafficPath) },
          {
            label: 'deviceGroup.action.saveFilter',
            shown: maySaveGroup && list.isFiltered && list.state.filters.groupId === undefined,
            run: () => setSaving(true),
          },
          { label: 'device.action.transferBatch', shown: mayTransfer, run: () => setMoving([]) },
        ]}
        rowButtons={[
          ...commands.map(({ key, danger }) => ({
            label: commandTextKey(key),
            under: 'deviceDetail.command',
            danger,
            shown: ({ locked }: { locked: boolean }) => isOffered(key, { total: 1, locked: locked ? 1 : 0 }),
            run: ({ sn }: { sn: string }) => tell(key, { sns: [sn] }),
          })),
          {
            label: 'device.action.transferBatch',
            shown: () => mayTransfer,
            run: (row) => setMoving([row]),
          },
          {
            label: 'deviceTraffic.title',
            shown: () => maySeeTraffic,
            run: ({ sn }) => navigate(trafficPath(sn)),
          },
          {
            label: 'deviceKiosk.title',
            shown: () => mayKiosk,
            run: ({ sn }) => navigate(kioskPath(sn)),
          },
        ]}
        bulkButtons={[
          ...commands.filter(({ key }) => first.includes(key)).map(({ key }) => toMany(commandTextKey(key), key)),
          {
            label: 'device.action.transferBatch',
            shown: mayTransfer,
            run: async (chosen) => setMoving((await chosen.rows()) as unknown as Movable[]),
          },
          ...(commands.length > 0 ? [toMany('composer.title')] : []),
        ]}
      />
      {saving && <SaveAsGroup filters={list.state.filters} onClose={() => setSaving(false)} />}
      {refused && <RefusedPanel onClose={() => setRefused(false)} />}
      {moving && <TransferDialog devices={moving} onClose={() => setMoving(undefined)} />}
    </>
  )
}
