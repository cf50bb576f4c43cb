import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type CommandArgs, type TemplateItem, templateItemNames, templateItems } from '@campanile/contract'
import type { DeviceEvent } from '@campanile/contract/protocol'
import type { Result } from '../port.ts'
import type { Machine } from './machine.ts'
import type { Appliers, Items, KeptStore } from './settings.ts'

/** Values are read by programs: often enough to notice a change, and seldom enough to cost nothing. */
const lookMs = 5 * 60_000
const programMs = 30_000

/** What is set here without the owner's program, and by which of the settings' own ways. */
const ownWays: Partial<Record<TemplateItem, keyof Appliers>> = {
  volumeMusic: 'volume',
  brightness: 'brightness',
  timeZone: 'timeZone',
}

const readItems = (told: unknown): Items =>
  Object.fromEntries(
    templateItemNames.flatMap((name) => {
      const value = templateItems[name].schema.safeParse((told as Record<string, unknown> | null)?.[name])
      return value.success ? [[name, value.data]] : []
    }),
  )
const pick = (items: Items, names: readonly string[]): Items =>
  Object.fromEntries(names.flatMap((name) => (items[name] === undefined ? [] : [[name, items[name]]])))

export interface TemplateParts {
  readonly machine: Machine
  /** The owner's program: sets `items` of the JSON it gets, and prints all it knows of them as they are then. */
  readonly program: readonly string[] | undefined
  readonly kept: KeptStore
  readonly appliers: Appliers
}

/** Templates on this machine: what it knows itself it sets itself, everything else is the owner's program's matter. */
export const createTemplates = ({ machine, program, kept, appliers }: TemplateParts) => {
  let lookedAt = 0

  const ask = async (input: object): Promise<Items> => {
    if (!program) return {}
    const [name = '', ...args] = program
    const output = await machine.run(name, args, { input: JSON.stringify(input), timeoutMs: programMs })
    return readItems(JSON.parse(output.trim() || '{}'))
  }

  const ownValues = async (): Promise<Items> => {
    const found: Record<string, string | number> = {}
    const [light] = await readdir('/sys/class/backlight').catch(() => [])
    if (light) {
      const of = async (file: string) => Number(await readFile(`/sys/class/backlight/${light}/${file}`, 'utf8'))
      found.brightness = Math.round((100 * (await of('brightness'))) / (await of('max_brightness')))
    }
    if (machine.has('amixer')) {
      const level = /\[(\d{1,3})%\]/.exec(await machine.run('amixer', ['sget', 'Master']).catch(() => ''))?.[1]
      if (level !== undefined) found.volumeMusic = Number(level)
    }
    if (machine.hasSystemd && machine.has('timedatectl'))
      found.timeZone = (await machine.run('timedatectl', ['show', '--property=Timezone', '--value'])).trim()
    return readItems(found)
  }
  /** What the program says counts: it may set what is set here otherwise. */
  const read = async (): Promise<Items> => ({ ...(await ownValues()), ...(await ask({ items: {} })) })

  /** Everything that can be set is; what could not makes the whole a failure that names it. */
  const set = async (items: Items, wifiPassword?: string) => {
    const refused: string[] = []
    const others: Record<string, string | number> = {}
    for (const [name, value] of Object.entries(items)) {
      const way = program ? undefined : ownWays[name as TemplateItem]
      if (way) await appliers[way](value).catch((error: Error) => refused.push(`${name} (${error.message})`))
      // A fixed brightness is the figure beside it.
      else if (program || name !== 'brightnessMode' || value !== 'fixed') others[name] = value
    }
    const names = Object.keys(others)
    if (names.length > 0 && !program) refused.push(`${names.join(', ')} (templateCommand is not configured)`)
    else if (program) await ask({ items: others, ...(wifiPassword !== undefined && { wifiPassword }) })
    if (refused.length > 0) throw new Error(`not applied: ${refused.join('; ')}`)
  }

  const apply = async ({ templateId, version, items: given, wifiPassword }: CommandArgs<'applyTemplate'>) => {
    const items = readItems(given)
    const names = Object.keys(items)
    const { template } = await kept.load()
    const had = pick(await read(), names)
    // Applied again, what held before is what held before the first time.
    const before = template?.id === templateId ? { ...had, ...pick(template.before, names) } : had
    await set(items, wifiPassword)
    const held = { ...items, ...pick(await read(), names) }
    await kept.change({ template: { id: templateId, version, items: held, before } })
    return { items: held, before } satisfies Result
  }

  const undo = async (templateId: number): Promise<Result> => {
    const { template } = await kept.load()
    if (!template) return { items: {}, before: {} }
    if (template.id !== templateId) throw new Error('another template was applied since')
    await set(template.before)
    await kept.change({ template: undefined })
    return { items: template.before, before: template.items }
  }

  /** What has changed of a template's items since it was last told. */
  const look = async (now: number): Promise<DeviceEvent[]> => {
    if (now - lookedAt < lookMs) return []
    lookedAt = now
    const { template } = await kept.load()
    if (!template) return []
    // A program that fails now is asked again later; other values must not wait for it.
    const held = pick(await read().catch(() => ({})), Object.keys(template.items))
    const changed = Object.entries(held).filter(([name, value]) => template.items[name] !== value)
    if (changed.length === 0) return []
    const items = Object.fromEntries(changed)
    await kept.change({ template: { ...template, items: { ...template.items, ...items } } })
    return [{ id: randomUUID(), ts: now, type: 'settingsChanged', data: { items } }]
  }

  return { apply, undo, look }
}
