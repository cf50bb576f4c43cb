/** Every way in which a file is no archive or no app that we take. Callers turn a reason into a code and a text. */
export const refusals = [
  // The archive as a whole
  'notAnArchive',
  'truncated',
  'endAmbiguous',
  'severalDisks',
  'zip64Wrong',
  'directoryBroken',
  'directoryTooLarge',
  'empty',
  'tooManyEntries',
  'leadingBytes',
  'overlapping',
  // One entry of it
  'nameWrong',
  'nameLeaves',
  'nameTooDeep',
  'nameTwice',
  'notAFile',
  'encrypted',
  'methodUnknown',
  'headerDiffers',
  // What is inside an entry
  'sizeDiffers',
  'contentBroken',
  'ratioTooHigh',
  'tooLarge',
  // Apps
  'notAnApk',
  'notOneApk',
  'manifestBroken',
  'packageNameWrong',
  'resourcesBroken',
] as const
export type RefusalReason = (typeof refusals)[number]

/** A file that is refused, and why. Everything else that is thrown is a fault of the machine or ours. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  /** The entry it is about. A stranger has written it: it is shown as text and never used as a path. */
  readonly entry: string | undefined

  constructor(reason: RefusalReason, entry?: string) {
    super(entry === undefined ? reason : `${reason}: ${entry}`)
    this.reason = reason
    this.entry = entry
  }
}
