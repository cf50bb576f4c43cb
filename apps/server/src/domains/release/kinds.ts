import {
  type AppError,
  type CommandArgs,
  type CommandName,
  type InstallMode,
  type ReleaseKind,
  type ReleaseKindSpec,
  type ReleaseOptions,
  type ReleaseStepWord,
  releaseKindSpecs,
} from '@campanile/contract'
import type { Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Known } from '../device/index.ts'

/** What is released: a row of a room. */
export interface ReleaseItem {
  readonly id: number
  readonly name: string
  readonly version: string | null
  /** What a device fetches of it; nothing where all of it stands in the command. */
  readonly bytes: number | null
}

/** What devices are told. */
export type ReleaseCommand = { [N in CommandName]: { readonly command: N; readonly args: CommandArgs<N> } }[CommandName]

export type Given = Readonly<Record<string, unknown>>
export interface ReleaseWay {
  readonly action: string
  readonly installMode: InstallMode | null
  readonly options: ReleaseOptions
  /** What was said of the kind alone, by its `fields`. */
  readonly given: Given
}

/** Published only: it is written down, and nobody is told (behaviour: releases.published). */
export const isPushed = ({ installMode }: Pick<ReleaseWay, 'installMode'>): boolean => installMode !== 'publishOnly'

/** Something that a device of a release did, or that happened to it. */
export interface HeardStep {
  readonly what: ReleaseStepWord
  readonly device?: { readonly id: number | null; readonly sn: string; readonly departmentId: number } | undefined
  /** The state the device stood in before. */
  readonly from?: string | undefined
  readonly reason?: string | null | undefined
  readonly detail?: string | null | undefined
}
/** Of which release something is heard. */
export interface HeardRelease {
  readonly kind: string
  readonly itemId: number
  readonly itemName: string
  readonly itemVersion: string | null
  readonly action: string
}

/** What the room of an item has to say about its releases. */
export interface KindRules<I extends ReleaseItem = ReleaseItem> {
  /** Within a scope for whoever releases it; without one for the engine, which goes on whoever reads it by then. */
  find(db: Db, scope: Scope | undefined, itemId: number): Promise<I | undefined>
  /** Throws where the item cannot be released this way at all. */
  check?(db: Db, item: I, way: ReleaseWay): unknown
  /** Why some of these devices cannot take it: an error a device, with its `sn`. */
  refuse?(db: Db, item: I, devices: readonly Known[], way: ReleaseWay): Promise<readonly AppError[]>
  /** The code of those that refuse it because they have that version already. */
  readonly currentCode?: number
  /** What devices are told; made anew for each batch, so that links in it are fresh. */
  command(db: Db, item: I, way: ReleaseWay): ReleaseCommand | Promise<ReleaseCommand>
  /** What each of these devices has now. */
  versionsOf?(db: Db, item: I, deviceIds: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** In the transaction in which devices of a release of it took these steps. */
  heard?(tx: Db, release: HeardRelease, steps: readonly HeardStep[]): Promise<unknown>
  /** In the transaction in which a release of it was made, or has ended. */
  after?(tx: Db, item: I, event: 'created' | 'ended', way: ReleaseWay): Promise<unknown>
}

/** The kinds that rooms have brought. */
export const createKinds = () => {
  const brought = new Map<string, KindRules>()
  return {
    bring: <I extends ReleaseItem>(kind: ReleaseKind, rules: KindRules<I>) => {
      if (brought.has(kind)) throw new Error(`${kind} is brought by two rooms`)
      brought.set(kind, rules as unknown as KindRules)
    },
    of: (kind: string): KindRules => {
      const rules = brought.get(kind)
      if (!rules) throw new Error(`no room brings ${kind}`)
      return rules
    },
    /** Tells the room of a release what happened to its devices. */
    hear: async (tx: Db, release: HeardRelease, steps: readonly HeardStep[]) => {
      if (steps.length > 0) await brought.get(release.kind)?.heard?.(tx, release, steps)
    },
    spec: (kind: string): ReleaseKindSpec => releaseKindSpecs[kind as ReleaseKind],
  }
}
export type Kinds = ReturnType<typeof createKinds>
