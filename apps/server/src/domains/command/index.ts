export { mountCommands } from './command.routes.ts'
