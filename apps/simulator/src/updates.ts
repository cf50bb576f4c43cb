import {
  downloadedPercent,
  type Hardware,
  needConditions,
  type Timers,
  type UpdateContext,
  UpdateFailed,
} from '@campanile/agent'
import { type CommandArgs, compareVersions } from '@campanile/contract'
import type { StateValues } from '@campanile/contract/protocol'
import { between, createRandom, pick, seedOf } from './random.ts'
import type { FetchSmall } from './small-fetch.ts'

/** What becomes of a device that is updated. */
export const updateBehaviours = ['success', 'slow', 'failing', 'bricked', 'offline'] as const
export type UpdateBehaviour = (typeof updateBehaviours)[number]
/** Shares of a fleet, from 0 to 1; whoever is in none of them succeeds. */
export type UpdateMix = Readonly<Partial<Record<UpdateBehaviour, number>>>

export const ordinaryMix: UpdateMix = { slow: 0.06, failing: 0.04, offline: 0.03, bricked: 0.005 }

const isBehaviour = (word: string): word is UpdateBehaviour => updateBehaviours.some((known) => known === word)

/** `slow`, or in percent `failing=30,slow=10`. */
export const readUpdateMix = (text: string): UpdateMix => {
  const mix: Partial<Record<UpdateBehaviour, number>> = {}
  for (const part of text.split(',')) {
    const [word = '', percent = '100'] = part.trim().split('=')
    const share = Number(percent) / 100
    if (!isBehaviour(word) || !(share >= 0 && share <= 1))
      throw new Error(`--updates takes ${updateBehaviours.join(', ')}, each with its percent as in failing=30,slow=10`)
    mix[word] = share
  }
  return mix
}

const behaviourOf = (chance: number, mix: UpdateMix): UpdateBehaviour => {
  let upTo = 0
  for (const behaviour of updateBehaviours) {
    upTo += mix[behaviour] ?? 0
    if (chance < upTo) return behaviour
  }
  return 'success'
}

type Fault = ConstructorParameters<typeof UpdateFailed>
const faults: readonly [Fault, ...Fault[]] = [
  ['notEnoughSpace', '212 MiB are needed, 34 MiB are free'],
  ['installFailed', 'the package service does not answer'],
  ['notHealthy', 'the new version ended after 4 s'],
  ['digestDiffers', ''],
]
/** A device that often fails does not always fail. */
const failsAgain = 0.5
const slowTimes = 12
const megabyte = 1024 * 1024
const pieces = 20

export interface UpdateParts {
  readonly sn: string
  readonly seed: number
  readonly mix: UpdateMix
  readonly timers: Timers
  /** What was measured last. */
  readonly values: () => StateValues
  /** Out of reach for so long; without a time, for ever. */
  readonly leave: (ms?: number) => void
  /** Small files are really fetched, where there is a server to ask. */
  readonly fetchSmall?: FetchSmall | undefined
}

interface Work {
  /** What is new on the device once it is done. */
  readonly item: string
  readonly file?: { readonly url: string; readonly size: number; readonly sha256: string } | undefined
  readonly conditions: Parameters<typeof needConditions>[1]
  readonly bytesPerSecond?: number | undefined
  readonly upgradeMs: readonly [number, number]
}

/** How one device takes what it is sent: the same for the same seed. */
export const createSimulatedUpdates = ({ sn, seed, mix, timers, values, leave, fetchSmall }: UpdateParts) => {
  const random = createRandom(seedOf(seed, `${sn} update`))
  const behaviour = behaviourOf(random(), mix)
  const pace = between(random, 1, 8) * megabyte
  const tried = new Set<string>()
  const left = new Set<string>()
  const ended = new Map<string, Awaited<ReturnType<Hardware['updateEnded']>>>()
  const wait = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve))
  const slowly = behaviour === 'slow' ? slowTimes : 1
  const forEver = () => new Promise<never>(() => undefined)

  const download = async (update: UpdateContext, { item, file, bytesPerSecond = pace }: Work) => {
    if (!file) return
    update.tell('downloading', 0)
    const ms = Math.min(60_000, Math.max(500, (1000 * file.size) / Math.min(pace, bytesPerSecond))) * slowly
    for (let piece = 1; piece <= pieces; piece += 1) {
      await wait(ms / pieces)
      update.tell('downloading', Math.floor((downloadedPercent * piece) / pieces))
      if (behaviour !== 'offline' || piece !== pieces / 2 || left.has(item)) continue
      left.add(item)
      leave(between(random, 30_000, 120_000))
      // Asked again when it is back, it goes on.
      return forEver()
    }
    await fetchSmall?.(update.serverUrl, file)
  }

  return {
    ended,
    run: async (update: UpdateContext, work: Work): Promise<void> => {
      needConditions(values(), work.conditions)
      await wait(between(random, 100, 800))
      await download(update, work)
      const isFirst = !tried.has(work.item)
      tried.add(work.item)
      update.tell('upgrading', downloadedPercent)
      await wait(between(random, ...work.upgradeMs) * slowly)
      if (behaviour === 'failing' && (isFirst || random() < failsAgain)) throw new UpdateFailed(...pick(random, faults))
      if (behaviour !== 'bricked') return
      leave()
      return forEver()
    },
  }
}

/** Why firmware is not taken by a device that has another version. */
export const refuseFirmware = ({ version, downgrade }: CommandArgs<'upgradeFirmware'>, present: string) => {
  if ((compareVersions(version, present) ?? 1) <= 0 && !downgrade)
    throw new UpdateFailed('olderVersion', `${present} is in use`)
}
