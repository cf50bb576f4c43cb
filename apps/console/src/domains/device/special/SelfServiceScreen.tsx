import { commands } from '@campanile/contract/command'
import { selfService } from '@campanile/contract/device'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { tell } from '../../command/pickers.tsx'
import { useDevicesLive } from '../live.ts'
import { IotStatus } from '../pick/IotStatus.tsx'

/** Self-service machines with what their printer and cash unit say. */
export default function SelfServiceScreen() {
  const reader = useReader(selfService)
  const list = useResourceList(selfService)
  useDevicesLive(list.rows.map(({ sn }) => sn))
  const mayRestart = usePermitted(commands.reboot.perm)
  const mayCapture = usePermitted(commands.screenshot.perm)
  const peripheral = (said: string | null) =>
    said === null ? (
      <span className="nothing">–</span>
    ) : (
      // What is commonly said is translated; anything else stands as the machine said it.
      <StateMark tone={said === 'ok' ? 'good' : 'warning'}>
        {reader.t(`selfService.peripheral.${said}`, { defaultValue: said })}
      </StateMark>
    )
  return (
    <ListScreen
      resource={selfService}
      list={list}
      {...useToDevice()}
      cells={{
        iotStatus: ({ iotStatus, activationStatus }) => <IotStatus state={iotStatus} activation={activationStatus} />,
        printer: ({ printer }) => peripheral(printer),
        cash: ({ cash }) => peripheral(cash),
      }}
      rowButtons={[
        {
          label: 'selfService.action.restart',
          shown: () => mayRestart,
          run: ({ sn }) => tell('reboot', { sns: [sn] }),
        },
        {
          label: 'selfService.action.screen',
          shown: () => mayCapture,
          run: ({ sn }) => tell('screenshot', { sns: [sn] }),
        },
      ]}
    />
  )
}
