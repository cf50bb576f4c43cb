import { isApiError } from '@campanile/client'
import {
  type CommandName,
  type createTask,
  deviceTask,
  type MadeTask,
  previewTask,
  type Target,
} from '@campanile/contract/command'
import type { AnswerOf, InputOf } from '@campanile/contract/kit'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { type LiveMessage, useLive } from '../../../shell/live.ts'
import type { Figures } from './TaskFigures.tsx'

export type Preview = AnswerOf<typeof previewTask>
type PreviewInput = InputOf<typeof previewTask>
/** Whom these reasons keep out. A preview names the first of each; where there are more it is asked for all. */
export const refusedSerials = async (input: PreviewInput, reasons: Preview['refused']): Promise<string[]> => {
  const cut = reasons.filter(({ count, sns }) => count > sns.length).map(({ code }) => code)
  if (cut.length === 0) return reasons.flatMap(({ sns }) => sns)
  const { refused } = await calls.call(previewTask, { ...input, named: cut })
  const codes = reasons.map(({ code }) => code)
  return refused.filter(({ code }) => codes.includes(code)).flatMap(({ sns }) => sns)
}

/** The three doors to an order take the same. */
export type OrderInput = InputOf<typeof createTask>
export interface NewOrder {
  readonly command: CommandName
  readonly args: Record<string, unknown>
  readonly target: Target
}

export const unheard = ({ total }: { total: number }): Figures => ({ total, succeeded: 0, failed: 0, cancelled: 0 })
/** Devices of several enterprises have a task each; whoever gave the order looks at all of them. */
export const sumOf = (figures: readonly Figures[]): Figures =>
  figures.reduce((sum, each) => ({
    total: sum.total + each.total,
    succeeded: sum.succeeded + each.succeeded,
    failed: sum.failed + each.failed,
    cancelled: (sum.cancelled ?? 0) + (each.cancelled ?? 0),
  }))

const argOf = (field: string | undefined) => (field?.startsWith('args.') ? field.split('.')[1] : undefined)

/** From what is wanted to what will happen to what was made. Nothing is sent before somebody has seen who it will hit. */
export const useOrder = (send: (input: OrderInput) => Promise<MadeTask>) => {
  const queries = useQueryClient()
  const [preview, setPreview] = useState<Preview>()
  const [made, setMade] = useState<MadeTask>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // Heard from the beginning: a quick device has answered before the outcome is on the screen.
  const [news, setNews] = useState<ReadonlyMap<unknown, Figures>>(new Map())
  useLive('task', (told) => setNews((before) => new Map(before).set(told.id, told as LiveMessage & Figures)))

  const attempt = async (work: () => Promise<unknown>): Promise<string | undefined> => {
    if (busy) return undefined
    setBusy(true)
    setError(undefined)
    try {
      await work()
      return undefined
    } catch (failure) {
      setError(failure)
      return isApiError(failure) ? argOf(failure.field) : undefined
    } finally {
      setBusy(false)
    }
  }
  const ask = async ({ command, args, target }: NewOrder) =>
    setPreview(await calls.call(previewTask, { command, args, ...target }))

  return {
    preview,
    made: made && { ...made, figures: sumOf((made.tasks ?? [made]).map((task) => news.get(task.id) ?? unheard(task))) },
    busy,
    error,
    /** Both answer the argument the server blames, if it blames one. */
    look: (wanted: NewOrder) => attempt(() => ask(wanted)),
    /** To everybody the preview did not refuse. Whoever became busy meanwhile is named, and the preview is asked anew. */
    give: ({ command, args, target }: NewOrder, words: { name?: string; description?: string } = {}) =>
      attempt(async () => {
        const without = await refusedSerials({ command, args, ...target }, preview?.refused ?? [])
        try {
          setMade(await send({ command, args, ...target, ...(without.length > 0 ? { without } : {}), ...words }))
        } catch (failure) {
          await ask({ command, args, target }).catch(() => undefined)
          throw failure
        }
        await queries.invalidateQueries({ queryKey: listKey(deviceTask) })
      }),
    back: () => {
      setPreview(undefined)
      setError(undefined)
    },
    again: () => {
      setPreview(undefined)
      setMade(undefined)
      setError(undefined)
    },
  }
}
