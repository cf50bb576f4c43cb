import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandArgs, settingItems } from '@campanile/contract'
import { z } from 'zod'
import { readIfPresent, writePrivate } from '../../identity.ts'
import type { Result } from '../port.ts'
import type { Machine } from './machine.ts'
import { powerObstacle, schedulePower } from './power.ts'

const items = z.record(z.string(), z.union([z.string(), z.number()]))
export type Items = z.infer<typeof items>
const allWeek = [1, 2, 3, 4, 5, 6, 7]
/** What the machine was last told, beyond its configuration. */
const kept = z.object({
  version: z.number().optional(),
  items: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  locked: z.boolean().optional(),
  kiosk: z.boolean().optional(),
  /** The template that was applied last: what holds of it, as far as it was told, and what held before. */
  template: z.object({ id: z.number(), version: z.number(), items, before: items }).optional(),
})
type Value = string | number | boolean
export type Kept = z.infer<typeof kept>

export const createKept = (folder: string) => {
  const path = join(folder, 'settings.json')
  const load = async (): Promise<Kept> => {
    const text = (await readIfPresent(path)) ?? '{}'
    try {
      return kept.parse(JSON.parse(text))
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
      throw new Error(`${path} is damaged (${why}): remove it, and push the settings again from the console`)
    }
  }
  return {
    load,
    change: async (change: Partial<Kept>): Promise<void> =>
      writePrivate(path, `${JSON.stringify({ ...(await load()), ...change }, null, 2)}\n`),
  }
}

export type KeptStore = ReturnType<typeof createKept>

/** How a value reaches the machine. */
export const createAppliers = (machine: Machine) => {
  const need = (program: string) => {
    if (!machine.has(program)) throw new Error(`${program} is not installed`)
  }
  return {
    volume: async (value: Value): Promise<void> => {
      need('amixer')
      await machine.run('amixer', ['--quiet', 'sset', 'Master', `${value}%`])
    },
    brightness: async (value: Value): Promise<void> => {
      const [light] = await readdir('/sys/class/backlight').catch(() => [])
      if (!light) throw new Error('no screen with a backlight')
      const folder = `/sys/class/backlight/${light}`
      const most = Number(await readFile(`${folder}/max_brightness`, 'utf8'))
      await writeFile(`${folder}/brightness`, String(Math.round((most * Number(value)) / 100)))
    },
    timeZone: async (value: Value): Promise<void> => {
      need('timedatectl')
      if (!machine.hasSystemd) throw new Error('this machine does not run systemd')
      await machine.run('timedatectl', ['set-timezone', '--', String(value)])
    },
  }
}
export type Appliers = ReturnType<typeof createAppliers>

export const createConfigure = (machine: Machine, store: KeptStore, own: Appliers) => {
  /** What needs nothing more than being remembered is not here. */
  const appliers: Record<string, (value: Value) => Promise<unknown>> = {
    ...own,
    serverUrl: async () => {
      throw new Error('the server is changed by the command switchServer')
    },
  }

  const power = async ({ powerOff, powerOn }: { powerOff?: unknown; powerOn?: unknown }) => {
    if (powerOff === undefined && powerOn === undefined) return
    if (typeof powerOff !== 'string' || typeof powerOn !== 'string') throw new Error('both times are needed')
    const obstacle = powerObstacle(machine)
    if (obstacle) throw new Error(obstacle)
    await schedulePower({ off: powerOff, on: powerOn, weekdays: allWeek, enabled: true })
  }

  /** Everything that can be applied is; a value that could not makes the whole a failure that names it. */
  return async ({ version, items }: CommandArgs<'configure'>): Promise<Result> => {
    const checked = settingItems.schema.safeParse(items)
    if (!checked.success)
      throw new Error(`wrong settings: ${checked.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
    const refused: string[] = []
    const attempt = (name: string, apply: Promise<unknown>) =>
      apply.catch((error: Error) => refused.push(`${name} (${error.message})`))
    await attempt('powerOff, powerOn', power(items))
    for (const [name, value] of Object.entries(items)) {
      const apply = appliers[name]
      if (apply) await attempt(name, apply(value))
    }
    await store.change({ version, items: { ...(await store.load()).items, ...items } })
    if (refused.length > 0) throw new Error(`not applied: ${refused.join('; ')}`)
    return { applied: Object.keys(items) }
  }
}
