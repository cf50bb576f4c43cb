import { type BulkAnswer, isPartialSuccess } from '@campanile/client'
import type { ActionInput, Perm, Resource } from '@campanile/contract/kit'
import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify, showError, toast } from '../shell/feedback.ts'
import { usePermission } from '../shell/permissions.ts'
import { calls } from './calls.ts'
import { listKey } from './list/useResourceList.ts'
import { useSkippedReport } from './useConfirm.tsx'

/** A verb a resource does not have is nobody's. */
export const usePermitted = (perm: Perm | undefined): boolean => {
  const granted = usePermission(perm ?? '')
  return perm !== undefined && (perm === 'public' || perm === 'signedIn' || granted)
}

interface Work<T> {
  call: () => Promise<T>
  /** How many rows were asked for, to say how many were done. */
  asked?: number
  done: string
}

/** Rows left alone, each with its name and the reason; anything else as the server put it. */
const inWords = (data: unknown, t: TFunction): unknown => {
  const skipped = typeof data === 'object' && data !== null && 'skipped' in data ? data.skipped : undefined
  if (!Array.isArray(skipped)) return data
  return skipped.map(({ id, name, code }) => `${name ?? `#${id}`}: ${t(`error.${code}`)}`)
}

/** Runs one call: progress while it lasts, then success, partial success or the error, each in its own words. */
export const useRun = (resource: Resource, onDone?: () => unknown) => {
  const [running, setRunning] = useState(false)
  const queries = useQueryClient()
  const report = useSkippedReport()
  const { t } = useTranslation()
  const run = async <T extends BulkAnswer | null>({ call, asked = 1, done }: Work<T>): Promise<boolean> => {
    setRunning(true)
    try {
      const answer = await call()
      const skipped = answer?.skipped ?? []
      if (skipped.length > 0) void report(skipped, Math.max(0, asked - skipped.length))
      else toast.success(done)
      await queries.invalidateQueries({ queryKey: listKey(resource) })
      await onDone?.()
      return true
    } catch (error) {
      // Partial success changes no list (behaviour: api.partly).
      if (isPartialSuccess(error)) notify.partial(inWords(error.data, t))
      else showError(error)
      return false
    } finally {
      setRunning(false)
    }
  }
  return { running, run }
}

/** One action of a resource: whether it is permitted, and running it with its messages. */
export const useAction = <R extends Resource, K extends keyof R['actions'] & string>(
  resource: R,
  name: K,
  { onDone }: { onDone?: () => unknown } = {},
) => {
  const { t } = useTranslation()
  const permitted = usePermitted(resource.actions[name]?.perm)
  const { running, run } = useRun(resource, onDone)
  return {
    permitted,
    running,
    run: (input: ActionInput<R, K>, asked = 1) =>
      run({
        call: () => calls.action(resource, name, input),
        asked,
        done: t(`${resource.name}.done.${name}`, { count: asked }),
      }),
  }
}
