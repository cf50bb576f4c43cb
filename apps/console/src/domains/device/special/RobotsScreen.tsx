import { commands, commandTextKey } from '@campanile/contract/command'
import { robot } from '@campanile/contract/device'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, SoftTag, StateMark, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { tell } from '../../command/pickers.tsx'
import { Battery } from '../Battery.tsx'
import { useDevicesLive } from '../live.ts'
import { IotStatus } from '../pick/IotStatus.tsx'

const tones = { working: 'accent', idle: 'good', charging: 'warning', breakdown: 'bad' } as const

/** What each robot is doing, live. */
export default function RobotsScreen() {
  const reader = useReader(robot)
  const list = useResourceList(robot)
  useDevicesLive(list.rows.map(({ sn }) => sn))
  const mayRestart = usePermitted(commands.reboot.perm)
  return (
    <ListScreen
      resource={robot}
      list={list}
      {...useToDevice()}
      cells={{
        iotStatus: ({ iotStatus, activationStatus }) => <IotStatus state={iotStatus} activation={activationStatus} />,
        robotState: ({ robotState }) =>
          robotState === null ? (
            <span className="nothing">–</span>
          ) : (
            <StateMark tone={tones[robotState]}>{reader.option('robotState', robotState)}</StateMark>
          ),
        battery: ({ battery, charging }) => <Battery percent={battery} charging={charging} reader={reader} />,
        lastTask: ({ lastTask, lastTaskState }) =>
          lastTask === null ? (
            <span className="nothing">–</span>
          ) : (
            <>
              {reader.t(commandTextKey(lastTask))}{' '}
              {lastTaskState && <SoftTag>{reader.option('lastTaskState', lastTaskState)}</SoftTag>}
            </>
          ),
      }}
      rowButtons={[
        {
          label: 'robot.action.restart',
          shown: () => mayRestart,
          run: ({ sn }) => tell('reboot', { sns: [sn] }),
        },
      ]}
    />
  )
}
