import { accessCommands } from './access/access.commands.ts'
import { deviceCommands } from './command/device.commands.ts'
import { posterCommands } from './poster/poster.commands.ts'

/** Every command there is, by its name. */
export const commands = { ...deviceCommands, ...accessCommands, ...posterCommands }
