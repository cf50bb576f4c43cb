import type { Reply } from '@campanile/contract/protocol'

/** How far an update is: the file is on its way, or what came is being put in use. */
export type UpdateStep = NonNullable<Reply['step']>

/** What an update needs of the agent around it. */
export interface UpdateContext {
  /** The command that asked for it. */
  readonly id: string
  readonly serverUrl: string
  /** When nobody waits for it any more, by `now`. */
  readonly expires: number
  now(): number
  /** What manifests are verified with. */
  releaseKey(): Promise<string>
  /** Says how far it is, in percent of the whole; each step is announced once, and never a step back. */
  tell(step: UpdateStep, percent: number): void
}

/** The download is most of what takes time. */
export const downloadedPercent = 90
