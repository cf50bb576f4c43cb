import type { RefusedReason } from '@campanile/contract/command'
import type { InputOf } from '@campanile/contract/kit'
import { previewRelease } from '@campanile/contract/release'
import { useLivePreview } from '../../../kit/compose/useLivePreview.ts'
import { calls } from '../../../kit/index.ts'

export type Order = Omit<InputOf<typeof previewRelease>, 'named'>

/** Who would be hit as things stand now. */
export const usePreview = (order: Order | undefined) => {
  const { asked, ...seen } = useLivePreview('releasePreview', order, (input, options) =>
    calls.call(previewRelease, input, options),
  )
  return {
    ...seen,
    /** Everybody these reasons keep out. */
    serialsOf: async (reasons: readonly RefusedReason[]): Promise<string[]> => {
      if (!asked) return []
      const { refused } = await calls.call(previewRelease, { ...asked, named: reasons.map(({ code }) => code) })
      return refused.filter(({ code }) => reasons.some((each) => each.code === code)).flatMap(({ sns }) => sns)
    },
  }
}
export type Seen = ReturnType<typeof usePreview>
export type Preview = NonNullable<Seen['data']>
