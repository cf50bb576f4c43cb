import { commands } from '@campanile/contract/command'
import { deviceTypes, videoPhone } from '@campanile/contract/device'
import type { Row } from '@campanile/contract/kit'
import { useState } from 'react'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, SoftTag, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { later } from '../../../shell/later.tsx'
import { tell, tellDevices } from '../../command/pickers.tsx'
import { useDevicesLive } from '../live.ts'
import { IotStatus } from '../pick/IotStatus.tsx'
import '../pick/pick.css'

const PickDialog = later(async () => (await import('../pick/PickDialog.tsx')).PickDialog)

type Phone = Row<typeof videoPhone>
const tones = { none: 'off', active: 'good', expiring: 'warning', expired: 'bad' } as const

/** Phones of schools, when they switch off and on, and whether they may call. */
export default function VideoPhonesScreen() {
  const reader = useReader(videoPhone)
  const { t } = reader
  const list = useResourceList(videoPhone)
  useDevicesLive(list.rows.map(({ sn }) => sn))
  const maySchedule = usePermitted(commands.powerSchedule.perm)
  const mayRestart = usePermitted(commands.reboot.perm)
  const maySetPassword = usePermitted(commands.devicePassword.perm)
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <ListScreen
        resource={videoPhone}
        list={list}
        {...useToDevice()}
        cells={{
          iotStatus: ({ iotStatus, activationStatus }) => <IotStatus state={iotStatus} activation={activationStatus} />,
          licence: ({ licence }) => <SoftTag tone={tones[licence]}>{reader.option('licence', licence)}</SoftTag>,
        }}
        more={[{ label: 'videoPhone.action.schedule', shown: maySchedule, run: () => setChoosing(true) }]}
        rowButtons={[
          {
            label: 'videoPhone.action.schedule',
            shown: () => maySchedule,
            run: ({ sn }) => tell('powerSchedule', { sns: [sn] }),
          },
          {
            label: 'videoPhone.action.restart',
            shown: () => mayRestart,
            run: ({ sn }) => tell('reboot', { sns: [sn] }),
          },
          {
            label: 'videoPhone.action.password',
            shown: () => maySetPassword,
            run: ({ sn }) => tell('devicePassword', { sns: [sn] }),
          },
        ]}
        bulkButtons={[
          {
            label: 'videoPhone.action.schedule',
            shown: maySchedule,
            run: async (chosen) => {
              const rows = (await chosen.rows()) as unknown as Phone[]
              tell('powerSchedule', { sns: rows.map(({ sn }) => sn) })
            },
          },
        ]}
      />
      {choosing && (
        <PickDialog
          title={t('videoPhone.scheduleFor')}
          value={undefined}
          only={{ deviceType: [deviceTypes.videoPhone] }}
          groups
          onChoose={(target) => {
            setChoosing(false)
            tellDevices({ targets: 'targets' in target ? target.targets : [target], command: 'powerSchedule' })
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
