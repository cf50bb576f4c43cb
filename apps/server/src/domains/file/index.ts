export { mountFiles } from './file.routes.ts'
export { insertDeviceFile } from './file.store.ts'
