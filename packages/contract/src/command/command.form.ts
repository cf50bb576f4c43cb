import { fieldsForm, type Resource } from '../kit/index.ts'
import { type CommandName, commands } from './commands.ts'
import { settingFields } from './setting.resource.ts'

/** How the arguments of a command are entered. */
export const commandForm = (name: CommandName): Resource => fieldsForm(commands[name].texts, commands[name].args)

/** How a profile of settings is entered. */
export const settingForm: Resource = fieldsForm('settingItem', settingFields)
