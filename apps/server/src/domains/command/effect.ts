import type { CommandName } from '@campanile/contract'
import { z } from 'zod'
import type { Db } from '../../platform/db.ts'
import { markKiosk, markLocked, removeApp, replaceApps, revokeCredentials, setAppEnabled } from '../device/index.ts'
import { findArgs } from './outbox.store.ts'
import type { Moved } from './reply.store.ts'
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

export const applyDone = async (db: Db, done: readonly Moved[]): Promise<void> => {
  for (const { command, deviceId, result } of done) {
    const list = command === 'listSoftware' ? softwareList.safeParse(result).data : undefined
    if (list && deviceId !== null) await replaceApps(db, deviceId, list.apps)
  }
  const tasks = new Map<number, Moved[]>()
  for (const each of done)
    if (effects[each.command as CommandName]) tasks.set(each.taskId, [...(tasks.get(each.taskId) ?? []), each])
  if (tasks.size === 0) return
  for (const { id, args } of await findArgs(db, [...tasks.keys()])) {
    const moved = tasks.get(id) ?? []
    const ids = moved.flatMap(({ deviceId }) => deviceId ?? [])
    await effects[moved[0]?.command as CommandName]?.(db, ids, args)
  }
}
