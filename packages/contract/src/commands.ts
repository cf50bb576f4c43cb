import { accessCommands } from './access/access.commands.ts'
import { deviceCommands } from './command/device.commands.ts'
import { firmwareCommands } from './firmware/firmware.commands.ts'
import { packageCommands } from './package/package.commands.ts'
import { posterCommands } from './poster/poster.commands.ts'
import { resourceCommands } from './resource/resource.commands.ts'
import { templateCommands } from './template/template.commands.ts'

/** Every command there is, by its name. */
export const commands = {
  ...deviceCommands,
  ...accessCommands,
  ...firmwareCommands,
  ...packageCommands,
  ...posterCommands,
  ...resourceCommands,
  ...templateCommands,
}
