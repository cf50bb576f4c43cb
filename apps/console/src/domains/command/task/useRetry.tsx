import type { brokerFailure, brokerTask, deviceTask, retriedKinds, taskDevice } from '@campanile/contract/command'
import { calls } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { useProof } from '../order/useProof.tsx'

interface Again {
  readonly id: number
  readonly command: string
  /** One device of the task; all that failed unless given. */
  readonly sn?: string
  readonly count: number
  /** Which of the task's devices; those that failed unless said. */
  readonly only?: Kind
}
type Kind = (typeof retriedKinds)[number]
type Devices = typeof taskDevice | typeof brokerFailure
type Tasks = typeof deviceTask | typeof brokerTask

/** The one device that failed, by its name; undefined where its list is not for this person's eyes. */
const findOnly = async (devices: Devices, taskId: number, only: Kind) => {
  const { rows } = await calls.list(devices, { taskId, page: 1, pageSize: 100 })
  return rows.find(({ state }) => (state === 'expired' ? 'failed' : state) === only)?.sn
}

/** Tries again what failed, was called off or was refused. What destroys asks to be typed back, as it did the first time: one device by its serial number. */
export const useRetry = (resource: Tasks, devices: Devices, onDone?: () => unknown) => {
  const { permitted, running, run } = useAction(resource, 'retry', onDone ? { onDone } : {})
  const proof = useProof()
  const ask = async ({ id, command, count, sn: given, only = 'failed' }: Again) => {
    const sn = given ?? (count === 1 ? await findOnly(devices, id, only).catch(() => undefined) : undefined)
    proof.ask({ command, sn, count }, () => run({ id, ...(sn === undefined ? { only } : { sns: [sn] }) }))
  }
  return { permitted, running, ask, dialog: proof.dialog }
}
