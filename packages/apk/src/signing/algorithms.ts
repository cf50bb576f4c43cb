import { constants, type KeyObject, verify } from 'node:crypto'
import { proving, Unproven } from './fault.ts'

/** The digests of contents we compute. Files signed for `fs-verity` carry one of these as well. */
export type ContentDigest = 'sha256' | 'sha512'

interface Algorithm {
  readonly digest: ContentDigest
  readonly key: 'rsa' | 'ec' | 'dsa'
  readonly padding?: { readonly padding: number; readonly saltLength: number }
}

const pss = (saltLength: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })

const algorithms: Readonly<Record<number, Algorithm>> = {
  257: { digest: 'sha256', key: 'rsa', padding: pss(32) },
  258: { digest: 'sha512', key: 'rsa', padding: pss(64) },
  259: { digest: 'sha256', key: 'rsa' },
  260: { digest: 'sha512', key: 'rsa' },
  513: { digest: 'sha256', key: 'ec' },
  514: { digest: 'sha512', key: 'ec' },
  769: { digest: 'sha256', key: 'dsa' },
}

export const digestOf = (algorithm: number): ContentDigest | undefined => algorithms[algorithm]?.digest

export function checkSignature(algorithm: number, key: KeyObject, data: Buffer, signature: Buffer): void {
  const known = algorithms[algorithm]
  if (!known) throw new Unproven('algorithmUnknown')
  const isRight = proving(
    'signatureWrong',
    () => key.asymmetricKeyType === known.key && verify(known.digest, data, { key, ...known.padding }, signature),
  )
  if (!isRight) throw new Unproven('signatureWrong')
}
