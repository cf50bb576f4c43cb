import type { UpdateFault } from '@campanile/contract'

/** An update has failed for a reason that people are told in their own words. */
export class UpdateFailed extends Error {
  override readonly name = 'UpdateFailed'
  readonly fault: UpdateFault
  constructor(fault: UpdateFault, detail = '') {
    super(detail ? `${fault}: ${detail}` : fault)
    this.fault = fault
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Whatever went wrong, as a failed update: a full disk by its own word, everything else by the one given. */
export const asFault = (error: unknown, fault: UpdateFault): UpdateFailed => {
  if (error instanceof UpdateFailed) return error
  const isFull = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' || /No space left/i.test(wordsOf(error))
  return new UpdateFailed(isFull ? 'notEnoughSpace' : fault, wordsOf(error))
}
