export { mountDevices } from './device.routes.ts'
export type { Followers } from './device.service.ts'
export {
  type App,
  findBySns,
  type Known,
  knownColumns,
  markKiosk,
  markLocked,
  replaceApps,
  revokeCredentials,
} from './device.store.ts'
export { deviceTable } from './device.table.ts'
export { readFilter } from './group-filter.ts'
export { serialRefusal, serialRows } from './serial-file.ts'
