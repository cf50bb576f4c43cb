import { AppError, deviceErrors, doorChanged } from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import type { Services } from '../../services.ts'
import type { CommandRules, Commands } from '../command/index.ts'
import type { Devices } from '../device/index.ts'
import { doorRecordTable, recordHappenings } from './door-record.store.ts'

interface Doors {
  readonly device: Pick<Devices, 'onEvent'>
  readonly command: Pick<Commands, 'serve'>
}

/** What a command does to a door, as the record says it. */
const orders = { doorOpen: 'opened', doorClose: 'closed', doorKeepOpen: 'keptOpen' } as const
type DoorCommand = keyof typeof orders

const rulesOf = (command: DoorCommand): CommandRules<DoorCommand> => ({
  /** Whoever orders it stands before it, or watches: a door that moves later moves for nobody. */
  refuse: async (_db, devices) =>
    devices.filter(({ online }) => !online).map(({ sn }) => new AppError(deviceErrors.offline, { sn })),
  done: (tx, done) =>
    recordHappenings(
      tx,
      done.map(({ deviceId, taskId, time }) => ({ deviceId, taskId, time, what: orders[command], means: 'command' })),
    ),
})

export const mountAccess = ({ kit }: Services, { device, command }: Doors) => {
  mountPlain(kit, doorRecordTable)
  for (const name of Object.keys(orders) as DoorCommand[]) command.serve(name, rulesOf(name))
  device.onEvent(doorChanged, (tx, events) =>
    recordHappenings(
      tx,
      events.map(({ deviceId, id: eventId, time, data: { what, means = null } }) => ({
        deviceId,
        eventId,
        time,
        what,
        means,
      })),
    ),
  )
}
