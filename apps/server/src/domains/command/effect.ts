import type { CommandName } from '@campanile/contract'
import { z } from 'zod'
import type { Db } from '../../platform/db.ts'
import {
  type Known,
  markKiosk,
  markLocked,
  markUnbinding,
  removeApp,
  replaceApps,
  revokeCredentials,
  setAppEnabled,
} from '../device/index.ts'
import { findArgs } from './outbox.store.ts'
import type { Moved } from './reply.store.ts'
import type { CommandRules, DoneCommand, Rules } from './rules.ts'
import { rememberSettings } from './setting.store.ts'

type Args = Record<string, unknown>

const short = z.string().max(128)
const softwareList = z.object({
  apps: z
    .array(
      z.object({ package: short, name: short.optional(), version: short.optional(), enabled: z.boolean().optional() }),
    )
    .max(500),
})

/** What a command that was done changes in what we know of its devices. */
const effects: Partial<Record<CommandName, (db: Db, ids: number[], args: Args) => Promise<unknown>>> = {
  lock: (db, ids) => markLocked(db, ids, true),
  unlock: (db, ids) => markLocked(db, ids, false),
  kioskOn: (db, ids, { mode, packages }) =>
    markKiosk(db, ids, { mode: String(mode), packages: (packages ?? []) as string[] }),
  kioskOff: (db, ids) => markKiosk(db, ids, null),
  // Nothing of it is left on the device, its credential included.
  wipe: (db, ids) => revokeCredentials(db, ids),
  configure: (db, ids, { items }) => rememberSettings(db, ids, (items ?? {}) as Args),
  enableSoftware: (db, ids, args) => setAppEnabled(db, ids, String(args.package), args.enabled === true),
  uninstall: (db, ids, args) => removeApp(db, ids, String(args.package)),
}

const byTask = (done: readonly DoneCommand[]): DoneCommand[][] => {
  const tasks = new Map<number, DoneCommand[]>()
  for (const each of done) tasks.set(each.taskId, [...(tasks.get(each.taskId) ?? []), each])
  return [...tasks.values()]
}

/** Devices of one task were told the same. */
const once =
  (effect: (db: Db, ids: number[], args: Args) => Promise<unknown>) => async (tx: Db, done: readonly DoneCommand[]) => {
    for (const some of byTask(done))
      await effect(
        tx,
        some.map(({ deviceId }) => deviceId),
        some[0]?.args ?? {},
      )
  }

const listed = async (tx: Db, done: readonly DoneCommand[]) => {
  for (const { deviceId, result } of done) {
    const list = softwareList.safeParse(result).data
    if (list) await replaceApps(tx, deviceId, list.apps)
  }
}

/** What the commands that any device knows change, by their names. */
export const ownEffects: Partial<Record<CommandName, CommandRules['done']>> = {
  ...Object.fromEntries(Object.entries(effects).map(([name, effect]) => [name, once(effect)])),
  listSoftware: listed,
}

/** Hands each room what its commands have done. */
export const createEffects = (rules: Pick<Rules, 'of'>) => async (tx: Db, ended: readonly Moved[]) => {
  const now = new Date().toISOString()
  const moved = ended.filter(({ state, command }) => state === 'done' && rules.of(command).done)
  if (moved.length === 0) return
  const stored = await findArgs(tx, [...new Set(moved.map(({ taskId }) => taskId))])
  const argsOf = new Map(stored.map(({ id, args }) => [id, args]))
  const commands = new Map<string, DoneCommand[]>()
  for (const { command, deviceId, taskId, result } of moved) {
    if (deviceId === null) continue
    const done = { deviceId, taskId, args: (argsOf.get(taskId) ?? {}) as DoneCommand['args'], result, time: now }
    commands.set(command, [...(commands.get(command) ?? []), done])
  }
  for (const [command, done] of commands) await rules.of(command).done?.(tx, done)
}

/** What is known of devices from the moment a command is given, not only when it is done. */
export const begin = async (db: Db, command: CommandName, devices: readonly Known[]) => {
  if (command === 'unbind')
    await markUnbinding(
      db,
      devices.map(({ id }) => id),
    )
}
