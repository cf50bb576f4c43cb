import { faultKeys } from '@campanile/contract/release'
import type { Reader } from '../../../kit/index.ts'

/** Why a device failed, in words of ours where there are some, and what it said beside them. */
export const reasonText = (
  { reason, detail }: { readonly reason: string | null; readonly detail: string | null },
  reader: Pick<Reader, 'maybe'>,
): string => {
  if (reason === null) return '–'
  const words =
    reason === 'unknown' && detail !== null
      ? undefined
      : faultKeys(reason)
          .map((key) => reader.maybe(key))
          .find(Boolean)
  return [words ?? (reason === 'unknown' && detail !== null ? undefined : reason), detail].filter(Boolean).join(' · ')
}
