import { doorChanged } from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import type { Services } from '../../services.ts'
import type { Devices } from '../device/index.ts'
import { doorRecordTable, recordHappenings } from './door-record.store.ts'

interface Doors {
  readonly device: Pick<Devices, 'onEvent'>
}

export const mountAccess = ({ kit }: Services, { device }: Doors) => {
  mountPlain(kit, doorRecordTable)
  device.onEvent(doorChanged, (tx, events) =>
    recordHappenings(
      tx,
      events.map(({ deviceId, id, time, data: { what, means = null } }) => ({
        deviceId,
        time,
        what,
        means,
        eventId: id,
      })),
    ),
  )
}
