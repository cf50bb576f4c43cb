export { mountDevices } from './device.routes.ts'
export type { Followers } from './device.service.ts'
export {
  findBySns,
  type Known,
  knownColumns,
  markKiosk,
  markLocked,
  replaceApps,
  revokeCredentials,
} from './device.store.ts'
export { deviceTable } from './device.table.ts'
export { enrolDevice, findForeign } from './enrolment.ts'
export { readFilter } from './group-filter.ts'
export { mountHistory } from './history.routes.ts'
export type { DeviceReply } from './ingest.ts'
export { licenceState } from './licence-state.ts'
export { createDevices, type Devices } from './link.ts'
export { serialRefusal, serialRows } from './serial-file.ts'
export { mountWatch } from './watch.ts'
