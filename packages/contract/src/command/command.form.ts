import { formOf, type Resource } from '../kit/index.ts'
import { type CommandName, type CommandSpec, commands } from './commands.ts'
import { settingItems } from './setting.resource.ts'

/** How the arguments of a command are entered. */
export const commandForm = (name: CommandName): Resource => {
  const { args, when }: CommandSpec = commands[name]
  return formOf('command', args, when)
}

/** How a profile of settings is entered. */
export const settingForm: Resource = formOf('settingItem', settingItems)
