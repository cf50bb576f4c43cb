import type { DeviceFault } from '@campanile/contract'

/** An update has failed for a reason that people are told in their own words. */
export class UpdateFailed extends Error {
  override readonly name = 'UpdateFailed'
  readonly fault: DeviceFault
  constructor(fault: DeviceFault, detail = '') {
    super(detail ? `${fault}: ${detail}` : fault)
    this.fault = fault
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Whatever went wrong, as a failed update: a full disk by its own word, everything else by the one given. */
export const asFault = (error: unknown, fault: DeviceFault): UpdateFailed => {
  if (error instanceof UpdateFailed) return error
  const isFull = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' || /No space left/i.test(wordsOf(error))
  return new UpdateFailed(isFull ? 'notEnoughSpace' : fault, wordsOf(error))
}
