export type { DeviceReply } from './ingest.ts'
export { createDevices, type Devices } from './link.ts'
