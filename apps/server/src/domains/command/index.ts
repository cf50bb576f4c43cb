export { mountCommands } from './command.routes.ts'
export type { DeviceLink } from './sender.ts'
