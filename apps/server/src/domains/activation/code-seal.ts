import type { Seal } from '../../platform/seal.ts'

export interface SealedCode {
  /** Base64, as JSON carries it to PostgreSQL. */
  readonly hash: string
  readonly sealed: string
}

/** How codes rest: sealed for their serial number, and found by a hash that tells nothing without the server's key. */
export const createCodeSeal = ({ seal, unseal, fingerprint }: Seal) => {
  const contextOf = (sn: string) => `activation_code.code.${sn}`
  const hash = (code: string): Buffer => fingerprint(code, 'activation_code')
  return {
    hash,
    seal: (sn: string, code: string): SealedCode => ({
      hash: hash(code).toString('base64'),
      sealed: seal(code, contextOf(sn)),
    }),
    open: (sn: string, sealed: string): string => unseal(sealed, contextOf(sn)),
  }
}

export type CodeSeal = ReturnType<typeof createCodeSeal>
