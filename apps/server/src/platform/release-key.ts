import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const before = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface ReleaseKey {
  /** Signs the manifests of what is released. */
  readonly privateKey: KeyObject
  /** What devices verify them with, in PEM. */
  readonly publicKey: string
}

/** Made of the installation's signing key, so that it is the same on all its servers and comes back with the same backup. */
export const createReleaseKey = (signingKey: Buffer): ReleaseKey => {
  const seed = Buffer.from(hkdfSync('sha256', signingKey, '', 'release manifests', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([before, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() }
}
