import { appTraffic, deviceErrors } from '@campanile/contract'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Services } from '../../services.ts'
import { countAppTraffic } from './app-traffic.store.ts'
import { mountDetail } from './detail.routes.ts'
import { createDeviceService, type Followers } from './device.service.ts'
import { leaveForeignGroups } from './device.store.ts'
import { deviceTable } from './device.table.ts'
import { extendDevices } from './extension.ts'
import { createForeignSerials } from './foreign-serials.ts'
import { mountGroups } from './group.routes.ts'
import { mountHistory } from './history.routes.ts'
import { createDevices, type Devices } from './link.ts'
import { mountSerials } from './serials.routes.ts'
import { mountServing } from './serving.ts'
import { robots, selfServices, videoPhones } from './special.table.ts'
import { mountStatistics } from './statistics.routes.ts'
import { mountTraffic } from './traffic.routes.ts'
import { createTransfer } from './transfer.service.ts'
import { mountTransferFile } from './transfer-file.routes.ts'
import { mountWatch } from './watch.ts'

/** What this room asks of those it stands on. */
interface Doors {
  readonly organisation: {
    occupiedBy(occupant: { kind: 'device'; table: string }): void
    onMoved(follow: typeof leaveForeignGroups): void
  }
  readonly system: {
    devicesServedBy(serving: Pick<Devices, 'gatewayHealth' | 'storageTrouble'>): void
  }
}

/** A year that somebody asks for, and what it is compared with. */
const appTrafficDays = 400

/** Everybody who asked is asked, and every answer counts. */
const createFollowers = () => {
  const leaving: Followers['leaving'][] = []
  const busy: Followers['busy'][] = []
  return {
    leaving,
    busy,
    all: {
      leaving: async (db, ids) => {
        for (const follow of leaving) await follow(db, ids)
      },
      busy: async (db, ids) => {
        const found = new Set<number>()
        for (const ask of busy) for (const id of await ask(db, ids)) found.add(id)
        return found
      },
    } satisfies Followers,
  }
}

export const mountDevices = (services: Services, { organisation, system }: Doors) => {
  const { app, kit, records } = services
  const devices = createDevices(services)
  const rooms = createFollowers()
  const followers = rooms.all
  const registry = createDeviceService({ followers, foreign: createForeignSerials(services) })
  const transfer = createTransfer({ ...services, followers })

  mount(kit, deviceTable, {
    list: byDefault,
    create: registry.create,
    update: registry.update,
    remove: registry.remove,
    export: byDefault,
    import: {
      prepare: registry.prepare,
      emptied: { sn: deviceErrors.snEmpty.code },
      repeated: deviceErrors.snRepeated.code,
    },
    actions: { transferBatch: transfer.transfer },
  })
  mountTransferFile(kit, transfer)
  mountSerials(kit)
  mount(kit, robots, { list: byDefault, update: byDefault, export: byDefault })
  mount(kit, selfServices, { list: byDefault, update: byDefault, export: byDefault })
  mount(kit, videoPhones, { list: byDefault, update: byDefault, export: byDefault })
  mountGroups(kit)
  mountDetail(kit)
  mountTraffic(kit)
  devices.onEvent(appTraffic, countAppTraffic)
  records.keep({ table: 'app_traffic', keepDays: () => appTrafficDays })
  mountStatistics(kit)
  mountHistory({ ...services, devices })
  mountWatch(services)
  mountServing({ ...services, devices })
  organisation.occupiedBy({ kind: 'device', table: 'device' })
  organisation.onMoved(leaveForeignGroups)
  system.devicesServedBy(devices)
  app.addHook('onReady', async () => devices.start())
  // Before the gateway is: what it still hands over while the database is away is not waited for.
  app.addHook('preClose', async () => devices.stop())

  // Not spread: some of what it tells changes.
  return Object.assign(devices, {
    /** These devices go: called in the transaction, so that what waits for them is ended with them. */
    onLeaving: (follow: Followers['leaving']) => void rooms.leaving.push(follow),
    /** What another room knows of devices and this one shows. */
    extend: extendDevices,
    /** Asked before devices move: those that have something running that a move would tear apart. */
    whileBusy: (ask: Followers['busy']) => void rooms.busy.push(ask),
  })
}
