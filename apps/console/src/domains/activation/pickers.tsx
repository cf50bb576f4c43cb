export { JoinCommands } from './JoinCommands.tsx'
