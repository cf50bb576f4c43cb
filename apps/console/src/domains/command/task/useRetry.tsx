import type { brokerTask, deviceTask } from '@campanile/contract/command'
import { useState } from 'react'
import { useAction } from '../../../kit/useAction.ts'
import { type Again, againInput } from './again.ts'
import { RetryDialog } from './opened.ts'

/** Tries again what failed, was called off or was refused, after somebody has seen whom it would reach. */
export const useRetry = (resource: typeof deviceTask | typeof brokerTask, onDone?: () => unknown) => {
  const { permitted, running, run } = useAction(resource, 'retry', onDone ? { onDone } : {})
  const [asked, setAsked] = useState<Again>()
  return {
    permitted,
    running,
    ask: (again: Again) => setAsked(again),
    dialog: asked && (
      <RetryDialog
        {...asked}
        resource={resource}
        onClose={() => setAsked(undefined)}
        onSend={() => run({ ...againInput(asked), partly: true })}
      />
    ),
  }
}
