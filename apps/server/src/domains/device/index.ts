export { periods } from './activity.ts'
export { mountDevices } from './device.routes.ts'
export type { Followers } from './device.service.ts'
export {
  enterprisesOf,
  findBySns,
  findStranger,
  type Known,
  knownColumns,
  leaveForeignGroups,
  markKiosk,
  markLocked,
  replaceApps,
  revokeCredentials,
} from './device.store.ts'
export { deviceTable } from './device.table.ts'
export { enrolDevice, findForeign, findReserved, hasCredential, lockSerials } from './enrolment.ts'
export { createForeignSerials, type ForeignSerials } from './foreign-serials.ts'
export { readFilter } from './group-filter.ts'
export { mountHistory } from './history.routes.ts'
export { appendEvents, writeHellos, writeStates } from './ingest.store.ts'
export { type Latest, merge } from './latest.ts'
export { licenceState } from './licence-state.ts'
export { createDevices, type Devices } from './link.ts'
export type { DeviceReply } from './plan.ts'
export { appendPresence, writePresence } from './presence.store.ts'
export { schoolAbove } from './school-above.ts'
export { serialRefusal, serialRows } from './serial-file.ts'
export { mountServing } from './serving.ts'
export { pointOf } from './telemetry/codec.ts'
export { kept, packPoints } from './telemetry/packing.ts'
export { prepare } from './telemetry/telemetry.store.ts'
export { mountWatch } from './watch.ts'
