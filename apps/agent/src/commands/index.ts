import { type CommandName, commandSpec, type deviceCommands } from '@campanile/contract'
import { applyTemplate } from './applyTemplate.ts'
import type { Command, Context, Outcome } from './command.ts'
import { configure } from './configure.ts'
import { custom } from './custom.ts'
import { devicePassword } from './devicePassword.ts'
import { enableSoftware } from './enableSoftware.ts'
import { installApp } from './installApp.ts'
import { kioskOff } from './kioskOff.ts'
import { kioskOn } from './kioskOn.ts'
import { listSoftware } from './listSoftware.ts'
import { lock } from './lock.ts'
import { message } from './message.ts'
import { powerSchedule } from './powerSchedule.ts'
import { putFile } from './putFile.ts'
import { reboot } from './reboot.ts'
import { report } from './report.ts'
import { restartApp } from './restartApp.ts'
import { screenLockPassword } from './screenLockPassword.ts'
import { screenshot } from './screenshot.ts'
import { showPoster } from './showPoster.ts'
import { switchServer } from './switchServer.ts'
import { unbind } from './unbind.ts'
import { undoTemplate } from './undoTemplate.ts'
import { uninstall } from './uninstall.ts'
import { unlock } from './unlock.ts'
import { upgradeFirmware } from './upgradeFirmware.ts'
import { uploadLog } from './uploadLog.ts'
import { whitelist } from './whitelist.ts'
import { wipe } from './wipe.ts'

export type { Context, Outcome } from './command.ts'

type OwnName =
  | keyof typeof deviceCommands
  | 'installApp'
  | 'upgradeFirmware'
  | 'putFile'
  | 'applyTemplate'
  | 'undoTemplate'
  | 'showPoster'

/** A command that any device knows does not compile here until this one does. */
const handlers: { [N in OwnName]: Command<N> } = {
  restartApp,
  reboot,
  powerSchedule,
  uploadLog,
  screenshot,
  message,
  lock,
  unlock,
  screenLockPassword,
  devicePassword,
  whitelist,
  wipe,
  unbind,
  switchServer,
  configure,
  kioskOn,
  kioskOff,
  report,
  listSoftware,
  enableSoftware,
  uninstall,
  installApp,
  upgradeFirmware,
  putFile,
  applyTemplate,
  undoTemplate,
  showPoster,
  custom,
}

type Handler = (args: Record<string, unknown>, context: Context) => Promise<Outcome>
export const isOwn = (name: CommandName): name is OwnName => Object.hasOwn(handlers, name)
/** A command of a room that this agent knows nothing of is the machine's own matter. */
export const handlerOf = (name: CommandName): Handler =>
  // The table pairs each name with its own arguments; the compiler cannot follow that through a variable.
  isOwn(name)
    ? (handlers[name] as unknown as Handler)
    : async (args, { hardware }) => ({ result: await hardware.perform(name, args) })

/** Of the others nobody knows how far they came when they were cut off in the middle, and that is the answer. */
export const isRepeatable = (name: string): boolean => commandSpec(name)?.repeatable ?? false

/** What became of these after an end in the middle is known to the machine. */
export const isUpdate = (name: string): boolean => name === 'installApp' || name === 'upgradeFirmware'

/** Done, these leave nobody behind who could be asked again: the identity goes once the answer is given. */
export const isFarewell = (name: string): boolean => name === 'wipe' || name === 'unbind'
