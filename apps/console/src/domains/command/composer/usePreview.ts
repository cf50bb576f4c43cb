import { previewTask, type Target } from '@campanile/contract/command'
import { useLivePreview } from '../../../kit/compose/useLivePreview.ts'
import { calls } from '../../../kit/index.ts'
import { type Preview, refusedSerials } from '../order/useOrder.ts'
import type { Draft } from './draft.ts'
import type { TimingInput } from './timing.ts'

interface PreviewInput {
  readonly target: (Target & { without?: string[] }) | undefined
  readonly draft: Draft
  readonly when: { readonly input: TimingInput }
}

/** Whom it would reach as things stand now. */
export const usePreview = ({ target, draft: { command, args }, when }: PreviewInput) => {
  const { waitMinutes: _, ...time } = when.input
  const input = target && command && args ? { command, args, ...target, ...time } : undefined
  const { asked, ...seen } = useLivePreview('preview', input, (order, options) =>
    calls.call(previewTask, order, options),
  )
  return {
    ...seen,
    /** Everybody these reasons keep out. */
    serialsOf: async (reasons: Preview['refused']) => (asked ? refusedSerials(asked, reasons) : []),
  }
}
export type Seen = ReturnType<typeof usePreview>
