export { mountFiles } from './file.routes.ts'
export { type DeviceFile, insertDeviceFile } from './file.store.ts'
