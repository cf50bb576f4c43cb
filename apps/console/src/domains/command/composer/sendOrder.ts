import { isPartialSuccess } from '@campanile/client'
import {
  createBrokerTask,
  createTask,
  giveCommand,
  type MadeTask,
  runBatch,
  type Target,
} from '@campanile/contract/command'
import { calls } from '../../../kit/index.ts'
import type { Telling } from '../tellDevices.tsx'
import type { Said } from './draft.ts'
import type { TimingInput } from './timing.ts'

const doors = { task: createTask, batch: runBatch } as const

interface Order {
  readonly door: Telling['door']
  readonly draft: Said
  readonly target: Target & { without?: string[] }
  readonly timing: TimingInput
}

/** To all who can take it; who cannot is written down with the task. */
export const sendOrder = ({ door, draft: { command, args, message }, target, timing }: Order): Promise<MadeTask> => {
  const rest = { ...target, ...timing, partly: true }
  const made = message
    ? calls.call(createBrokerTask, { ...message, ...rest })
    : calls.call(door ? doors[door] : giveCommand, { command, args, ...rest })
  return made.catch((error: unknown) => {
    if (isPartialSuccess(error)) return error.data as MadeTask
    throw error
  })
}
