import { isSending, isThere, type UploadEvent, type UploadState, uploadMachine } from './machine.ts'
import { type Pace, paceOf, type Sample } from './pace.ts'

/** Why a file stands still: somebody wanted it, the line broke, or the page was loaded anew and the file is not at hand. */
export type Stand = 'person' | 'line' | 'file'

/** What the server says of an upload. */
export interface Standing {
  readonly id: number
  readonly chunkSize: number
  readonly chunkCount: number
  readonly received: readonly number[]
}

/** One file on its way, as plain values: what happens to it is decided here and nowhere else. */
export interface Item {
  readonly key: string
  readonly purpose: string
  readonly name: string
  readonly size: number
  readonly state: UploadState
  readonly stand?: Stand | undefined
  /** Bytes its digest has been taken of. */
  readonly read: number
  readonly sha256?: string | undefined
  /** Of an upload that was under way before the page was loaded anew: what the file must be. */
  readonly expected?: string | undefined
  readonly standing?: Standing | undefined
  /** Bytes of the parts on their way that have gone. */
  readonly gone: Readonly<Record<number, number>>
  readonly samples: readonly Sample[]
  readonly error?: unknown
}

export const newItem = (item: Pick<Item, 'key' | 'purpose' | 'name' | 'size'>): Item => ({
  ...item,
  state: 'waiting',
  read: 0,
  gone: {},
  samples: [],
})

/** One that is on the server since before the page was loaded anew. */
export const keptItem = (
  item: Pick<Item, 'key' | 'purpose' | 'name' | 'size'>,
  expected: string,
  standing: Standing,
): Item => ({ ...newItem(item), state: 'paused', stand: 'file', expected, standing })

/** The length of a part; the last one is what is left. */
export const partSize = ({ size }: Pick<Item, 'size'>, { chunkSize }: Standing, part: number): number =>
  Math.min(chunkSize, size - part * chunkSize)

/** Bytes that have arrived or are on their way. */
export const sentBytes = (item: Item): number => {
  const { standing, gone, state, size } = item
  if (isThere(state)) return size
  if (!standing) return 0
  const arrived = standing.received.reduce((sum, part) => sum + partSize(item, standing, part), 0)
  return Math.min(size, arrived + Object.values(gone).reduce((sum, bytes) => sum + bytes, 0))
}

/** The next part nobody is sending. */
export const nextPart = ({ standing }: Pick<Item, 'standing'>, sending: ReadonlySet<number>): number | undefined => {
  if (!standing) return undefined
  const there = new Set(standing.received)
  for (let part = 0; part < standing.chunkCount; part += 1) if (!there.has(part) && !sending.has(part)) return part
  return undefined
}

const step = (item: Item, event: UploadEvent, more: Partial<Item> = {}): Item =>
  uploadMachine.can(item.state, event)
    ? { ...item, stand: undefined, error: undefined, ...more, state: uploadMachine.next(event) }
    : item

/** Nothing is on its way any more. */
const still = { gone: {}, samples: [] }

export const begin = (item: Item): Item => step(item, 'begin')
export const pause = (item: Item, stand: Stand): Item => step(item, 'pause', { ...still, stand })
export const resume = (item: Item): Item => step(item, 'resume')
export const pass = (item: Item): Item => step(item, 'pass', still)
export const arrive = (item: Item): Item => step(item, 'arrive', still)
export const fail = (item: Item, error: unknown): Item => step(item, 'fail', { ...still, error })
/** What has arrived stays on the server; what the file is, is found out anew. */
export const retry = (item: Item): Item => step(item, 'retry', { sha256: undefined, read: 0 })

/** Reports that come late, for a file that stands still, change nothing. */
const whileSending = (item: Item, change: Partial<Item>): Item =>
  isSending(item.state) ? { ...item, ...change } : item

export const reading = (item: Item, read: number): Item => whileSending(item, { read })
export const known = (item: Item, sha256: string): Item => whileSending(item, { sha256, read: item.size })
export const begun = (item: Item, standing: Standing): Item => whileSending(item, { standing })
/** Another order of answers than of parts must take nothing back. */
export const received = (item: Item, parts: readonly number[], part: number): Item => {
  if (!item.standing) return item
  const all = new Set([...item.standing.received, ...parts, part])
  const { [part]: _, ...gone } = item.gone
  return { ...item, standing: { ...item.standing, received: [...all].sort((a, b) => a - b) }, gone }
}
/** The part goes again from its first byte. */
export const again = (item: Item, part: number): Item => {
  const { [part]: _, ...gone } = item.gone
  return { ...item, gone }
}
export const gone = (item: Item, bytes: Readonly<Record<number, number>>, now: number): Item => {
  if (!isSending(item.state)) return item
  const next = { ...item, gone: bytes }
  return { ...next, samples: paceOf.taken(item.samples, { time: now, bytes: sentBytes(next) }) }
}

/** Bytes a second and seconds to go, as it went lately. */
export const paceOfItem = (item: Item, now: number): Pace => paceOf.now(item.samples, item.size - sentBytes(item), now)

/** Which files to begin now: in their order, and no more than may be under way at once. */
export const toBegin = (items: readonly Item[], atOnce: number): Item[] => {
  const busy = items.filter(({ state }) => isSending(state)).length
  return items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, atOnce - busy))
}

/** The share of a file that is done, from 0 to 1; taking its digest is not sending. */
export const shareOf = (item: Item): number => (item.size === 0 ? 0 : sentBytes(item) / item.size)
