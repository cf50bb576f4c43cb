import type { retriedKinds } from '@campanile/contract/command'

/** What is to be tried again. */
export interface Again {
  readonly id: number
  readonly command: string
  /** One device of the task; all of a kind unless given. */
  readonly sn?: string
  /** Which of the task's devices; those that failed unless said. */
  readonly only?: (typeof retriedKinds)[number]
}

/** As the server is asked. */
export const againInput = ({ id, sn, only = 'failed' }: Again) => ({
  id,
  ...(sn === undefined ? { only } : { sns: [sn] }),
})
