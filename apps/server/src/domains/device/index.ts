export { type Enrolment, enrolDevice, findForeign } from './enrolment.ts'
export { mountHistory } from './history.routes.ts'
export type { DeviceReply } from './ingest.ts'
export { createDevices, type Devices } from './link.ts'
