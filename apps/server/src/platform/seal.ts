import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/**
 * Secrets at rest: AES-256-GCM. The context (table, column and row id, say) is bound in as associated data,
 * so a sealed value copied to another row does not open there.
 */
export const createSeal = (key: Buffer) => {
  if (key.length !== 32) throw new RangeError('a seal key has 256 bits')
  const fingerprintKey = Buffer.from(hkdfSync('sha256', key, '', 'fingerprint', 32))
  return {
    /** The same 256 bits for the same value in the same context, and nothing to go by without the key. */
    fingerprint: (plain: string, context: string): Buffer =>
      createHmac('sha256', fingerprintKey).update(`${context}\0${plain}`).digest(),
    seal(plain: string, context: string): string {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    /** Whether it looks like something sealed, under whatever key. */
    isSealed: (value: string): boolean => value.startsWith(`${version}.`),
    /** Throws when the value was changed, sealed under another key, or sealed for another context. */
    unseal(sealed: string, context: string): string {
      const [prefix, text = ''] = sealed.split('.')
      const bytes = Buffer.from(text, 'base64url')
      if (prefix !== version || bytes.length < nonceBytes + tagBytes) throw new TypeError('not a sealed value')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

export type Seal = ReturnType<typeof createSeal>
