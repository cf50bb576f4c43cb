import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { z } from 'zod'

const header = z.object({ alg: z.string(), crit: z.never().optional() })
const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(128),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
  jti: z.string().min(8).max(128),
})
export type Claims = z.infer<typeof claims>

type Key = { readonly alg: 'HS256'; readonly secret: string } | { readonly alg: 'EdDSA'; readonly key: KeyObject }

const shortestSecret = 32

/** The key decides the algorithm, never the token: a public key is no shared secret. */
export const readIssuerKey = (text: string): Key | undefined => {
  if (!text.includes('-----BEGIN')) return text.length >= shortestSecret ? { alg: 'HS256', secret: text } : undefined
  try {
    const key = createPublicKey(text)
    return key.asymmetricKeyType === 'ed25519' ? { alg: 'EdDSA', key } : undefined
  } catch {
    return undefined
  }
}

const json = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

const isSigned = (key: Key, signed: string, signature: Buffer) => {
  if (key.alg === 'EdDSA') return verify(null, Buffer.from(signed), key.key, signature)
  const expected = createHmac('sha256', key.secret).update(signed).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** The claims of a compact JWS (RFC 7515) that this key signed; undefined for anything else. */
export const verifyJws = (token: string, key: Key): Claims | undefined => {
  const parts = token.match(/^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/)
  if (!parts) return undefined
  const [, head = '', body = '', signature = ''] = parts
  try {
    if (header.parse(json(head)).alg !== key.alg) return undefined
    if (!isSigned(key, `${head}.${body}`, Buffer.from(signature, 'base64url'))) return undefined
    return claims.parse(json(body))
  } catch {
    return undefined
  }
}
