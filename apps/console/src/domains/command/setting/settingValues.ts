import { commandMachine, commandStates, type settingDetail } from '@campanile/contract/command'
import type { AnswerOf } from '@campanile/contract/kit'

export type Detail = AnswerOf<typeof settingDetail>
type Version = Detail['versions'][number]
type Device = Detail['devices'][number]

export type Sync = 'synced' | 'waiting' | 'outdated' | 'failed'

/** Whether a device holds what is newest: it does, it is being told, it holds something older, or it refused. */
export const syncOf = (device: Pick<Device, 'state' | 'version'>, newest: number): Sync => {
  const state = commandStates.find((each) => each === device.state)
  if (state === undefined || commandMachine.can(state, 'expire')) return 'waiting'
  if (state !== 'done') return 'failed'
  return device.version === newest ? 'synced' : 'outdated'
}

/** Something older is on it, or it could not take what was sent: pushing again would help. */
export const isBehind = (device: Pick<Device, 'state' | 'version'>, newest: number): boolean =>
  ['outdated', 'failed'].includes(syncOf(device, newest))

export interface ItemLine {
  readonly item: string
  readonly before: unknown
  readonly now: unknown
  /** The version that gave it the value it has, and who made that. */
  readonly since: Version | undefined
}

/** Every item of the newest version or the one before it, with both values and where the newest comes from. */
export const itemLines = ({ version, versions }: Pick<Detail, 'version' | 'versions'>): ItemLine[] => {
  const byAge = versions.filter((each) => each.version <= version).sort((a, b) => b.version - a.version)
  const [newest, earlier] = byAge
  if (!newest) return []
  const valueIn = (each: Version | undefined, item: string) =>
    (each?.items as Readonly<Record<string, unknown>> | undefined)?.[item]
  const items = [...new Set([...Object.keys(newest.items), ...Object.keys(earlier?.items ?? {})])]
  return items.map((item) => {
    const now = valueIn(newest, item)
    const changed = byAge.findIndex((each) => valueIn(each, item) !== now)
    return { item, before: valueIn(earlier, item), now, since: byAge[changed === -1 ? byAge.length - 1 : changed - 1] }
  })
}
