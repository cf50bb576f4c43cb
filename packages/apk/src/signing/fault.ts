/** Why nobody can say who signed a file. */
export const signingFaults = [
  'unsigned',
  /** A newer signature that an older one speaks of has been taken out. */
  'stripped',
  'blockBroken',
  'algorithmUnknown',
  'certificateWrong',
  'signatureWrong',
  /** The signature is right and the file is not the one that was signed. */
  'contentDiffers',
  /** A file in the app is in no signature. */
  'notCovered',
  /** Android takes no app in the larger kind of archive. */
  'zip64',
] as const
export type SigningFault = (typeof signingFaults)[number]

export class Unproven extends Error {
  override readonly name = 'Unproven'
  readonly fault: SigningFault

  constructor(fault: SigningFault) {
    super(fault)
    this.fault = fault
  }
}

/** What the crypto library or a buffer throws at broken input becomes a fault. */
export function proving<T>(fault: SigningFault, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw error instanceof Unproven ? error : new Unproven(fault)
  }
}
