import { byDefault, mount } from '../../kit/mount.ts'
import type { Services } from '../../services.ts'
import { mountActivity } from './activity.ts'
import { mountDetail } from './detail.routes.ts'
import { createDeviceService, type Followers } from './device.service.ts'
import { deviceTable } from './device.table.ts'
import { createForeignSerials } from './foreign-serials.ts'
import { mountGroups } from './group.routes.ts'
import { mountSerials } from './serials.routes.ts'
import { robots, selfServices, videoPhones } from './special.table.ts'
import { mountStatistics } from './statistics.routes.ts'
import { mountTraffic } from './traffic.routes.ts'
import { createTransfer } from './transfer.service.ts'
import { mountTransferFile } from './transfer-file.routes.ts'

export const mountDevices = (services: Services, followers: Followers) => {
  const { kit } = services
  const registry = createDeviceService({ followers, foreign: createForeignSerials(services) })
  const transfer = createTransfer({ followers })

  mount(kit, deviceTable, {
    list: byDefault,
    create: registry.create,
    update: registry.update,
    remove: registry.remove,
    export: byDefault,
    import: { prepare: registry.prepare },
    actions: { transferBatch: transfer.transfer },
  })
  mountTransferFile(kit, transfer)
  mountSerials(kit)
  mount(kit, robots, { list: byDefault, update: byDefault, export: byDefault })
  mount(kit, selfServices, { list: byDefault, update: byDefault, export: byDefault })
  mount(kit, videoPhones, { list: byDefault, update: byDefault, export: byDefault })
  mountGroups(kit)
  mountDetail(kit)
  mountTraffic(services)
  mountStatistics(kit)
  mountActivity(services)
}
