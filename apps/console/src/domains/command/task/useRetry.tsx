import {
  brokerFailure,
  type brokerTask,
  commandMachine,
  type deviceTask,
  taskDevice,
} from '@campanile/contract/command'
import { calls } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { useProof } from '../order/useProof.tsx'

interface Again {
  readonly id: number
  readonly command: string
  /** One device of the task; all that failed unless given. */
  readonly sn?: string
  readonly count: number
}

/** The one device that failed, by its name; undefined where its list is not for this person's eyes. */
const findOnly = async (resource: typeof deviceTask | typeof brokerTask, taskId: number) => {
  const devices = resource.name === 'deviceTask' ? taskDevice : brokerFailure
  const { rows } = await calls.list(devices, { taskId, page: 1, pageSize: 100 })
  return rows.find(({ state }) => commandMachine.can(state, 'retry'))?.sn
}

/** Tries again what failed. What destroys asks to be typed back, as it did the first time: one device by its serial number. */
export const useRetry = (resource: typeof deviceTask | typeof brokerTask, onDone?: () => unknown) => {
  const { permitted, running, run } = useAction(resource, 'retry', onDone ? { onDone } : {})
  const proof = useProof()
  const ask = async ({ id, command, count, sn: given }: Again) => {
    const sn = given ?? (count === 1 ? await findOnly(resource, id).catch(() => undefined) : undefined)
    proof.ask({ command, sn, count }, () => run({ id, ...(sn === undefined ? {} : { sns: [sn] }) }))
  }
  return { permitted, running, ask, dialog: proof.dialog }
}
