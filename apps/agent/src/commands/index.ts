import type { CommandName } from '@campanile/contract'
import type { Command } from './command.ts'
import { configure } from './configure.ts'
import { custom } from './custom.ts'
import { devicePassword } from './devicePassword.ts'
import { enableSoftware } from './enableSoftware.ts'
import { kioskOff } from './kioskOff.ts'
import { kioskOn } from './kioskOn.ts'
import { listSoftware } from './listSoftware.ts'
import { lock } from './lock.ts'
import { message } from './message.ts'
import { powerSchedule } from './powerSchedule.ts'
import { reboot } from './reboot.ts'
import { report } from './report.ts'
import { restartApp } from './restartApp.ts'
import { screenLockPassword } from './screenLockPassword.ts'
import { screenshot } from './screenshot.ts'
import { switchServer } from './switchServer.ts'
import { unbind } from './unbind.ts'
import { uninstall } from './uninstall.ts'
import { unlock } from './unlock.ts'
import { uploadLog } from './uploadLog.ts'
import { whitelist } from './whitelist.ts'
import { wipe } from './wipe.ts'

export type { Context, Outcome } from './command.ts'

/** A command added to the contract does not compile here until the device knows it. */
export const handlers: { [N in CommandName]: Command<N> } = {
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
  custom,
}

/** Done, these leave nobody behind who could be asked again: the identity goes once the answer is given. */
export const isFarewell = (name: string): boolean => name === 'wipe' || name === 'unbind'

/**
 * Done twice, these leave the machine as if done once: cut off in the middle, they are done again when they are asked for
 * again. Of the others nobody knows how far they came, and that is the answer.
 */
export const isRepeatable = (name: string): boolean => repeatable.has(name)
const repeatable: ReadonlySet<string> = new Set<CommandName>([
  'powerSchedule',
  'uploadLog',
  'screenshot',
  'lock',
  'unlock',
  'screenLockPassword',
  'devicePassword',
  'whitelist',
  'wipe',
  'unbind',
  'configure',
  'kioskOn',
  'kioskOff',
  'report',
  'listSoftware',
  'enableSoftware',
])
