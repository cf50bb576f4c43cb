import type { brokerTask, deviceTask } from '@campanile/contract'
import { useAction } from '../../../kit/useAction.ts'
import { useProof } from '../order/useProof.tsx'

interface Again {
  readonly id: number
  readonly command: string
  /** One device of the task; all that failed unless given. */
  readonly sn?: string
  readonly count: number
}

/** Tries again what failed. What destroys asks to be typed back, as it did the first time. */
export const useRetry = (resource: typeof deviceTask | typeof brokerTask, onDone?: () => unknown) => {
  const { permitted, running, run } = useAction(resource, 'retry', onDone ? { onDone } : {})
  const proof = useProof()
  const ask = ({ id, sn, ...again }: Again) =>
    proof.ask({ sn, ...again }, () => run({ id, ...(sn === undefined ? {} : { sns: [sn] }) }))
  return { permitted, running, ask, dialog: proof.dialog }
}
