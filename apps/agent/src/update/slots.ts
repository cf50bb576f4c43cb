import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { FirmwareConfig } from '../config.ts'
import type { Machine } from '../hardware/linux/machine.ts'
import { readIfPresent, writePrivate } from '../identity.ts'
import { leadsTo, pointLink, syncFolder } from './disk.ts'
import { asFault } from './fault.ts'
import { checkService, startService } from './service.ts'
import type { Place } from './trial.ts'
import { unpack } from './unpack.ts'

const note = z.object({ version: z.string(), sha256: z.string() })
export type SlotNote = z.infer<typeof note>
const slotNames = ['a', 'b'] as const
export type SlotName = (typeof slotNames)[number]

export interface NewFirmware extends SlotNote {
  readonly path: string
  readonly name: string
  /** It holds only what differs from the version in use. */
  readonly isDifferential: boolean
}

/**
 * Two places for the system of a machine, of which one runs. The other is filled in peace; then the machine is led to it,
 * and back again when it does not prove itself. A maker of devices does the same with partitions and a boot loader.
 */
export interface Slots {
  running(): Promise<{ readonly slot: SlotName | undefined; readonly note: SlotNote | undefined }>
  /** Fills the one that does not run, and names it. */
  write(firmware: NewFirmware): Promise<SlotName>
  readonly place: Place
}

/** Two folders, `a` and `b`, and a link `current` to the one in use, from which the services of the machine are started. */
export const createFolderSlots = (machine: Machine, config: FirmwareConfig): Slots => {
  const { folder } = config
  const current = join(folder, 'current')
  const notePath = (slot: SlotName) => join(folder, `${slot}.json`)
  const inUse = async () => {
    const target = await leadsTo(current)
    return slotNames.find((slot) => slot === target)
  }
  const noteOf = async (slot: SlotName) =>
    note.safeParse(JSON.parse((await readIfPresent(notePath(slot))) ?? 'null')).data
  const env = { CAMPANILE_FOLDER: current }
  const sweep = async () => {
    for (const name of await readdir(folder))
      if (name.startsWith('.new-'))
        await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
  }

  return {
    running: async () => {
      const slot = await inUse()
      return { slot, note: slot && (await noteOf(slot)) }
    },

    write: async ({ version, sha256, path, name, isDifferential }) => {
      try {
        await mkdir(folder, { recursive: true })
        const running = await inUse()
        const slot = running === 'a' ? 'b' : 'a'
        const inside = join(folder, slot)
        // Without its note a slot holds nothing anybody may start.
        await rm(notePath(slot), { force: true })
        await syncFolder(folder)
        await sweep()
        // Never the same twice: a program that outlived a killed agent may still be writing to the last one.
        const half = await mkdtemp(join(folder, '.new-'))
        if (isDifferential && running)
          await machine.run('cp', ['--archive', `${join(folder, running)}/.`, half], { timeoutMs: 15 * 60_000 })
        await unpack(machine, path, name, half)
        await chmod(half, 0o755)
        await rm(inside, { recursive: true, force: true })
        await rename(half, inside)
        await writePrivate(notePath(slot), JSON.stringify({ version, sha256 }))
        await syncFolder(folder)
        return slot
      } catch (error) {
        throw asFault(error, 'installFailed')
      }
    },

    place: {
      startsMachine: config.reboot,
      point: (slot) => pointLink(current, slot),
      start: async () => {
        if (!config.reboot) return startService(machine, config, env)
        await machine.run('systemctl', ['reboot'])
        await new Promise(() => undefined)
      },
      check: () => checkService(machine, config, env),
    },
  }
}
