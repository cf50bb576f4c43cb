import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { compactVerify } from 'jose'
import { z } from 'zod'

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

interface IssuerKey {
  readonly alg: 'HS256' | 'EdDSA'
  readonly key: KeyObject
}

const shortestSecret = 32

/** The key decides the algorithm, never the token: a public key is no shared secret. */
export const readIssuerKey = (text: string): IssuerKey | undefined => {
  if (!text.includes('-----BEGIN'))
    return text.length >= shortestSecret ? { alg: 'HS256', key: createSecretKey(text, 'utf8') } : undefined
  try {
    const key = createPublicKey(text)
    return key.asymmetricKeyType === 'ed25519' ? { alg: 'EdDSA', key } : undefined
  } catch {
    return undefined
  }
}

/** The claims of a token that this key signed; undefined for anything else. */
export const readIssuerToken = async (token: string, { alg, key }: IssuerKey): Promise<Claims | undefined> => {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [alg] })
    return claims.parse(JSON.parse(new TextDecoder().decode(payload)))
  } catch {
    return undefined
  }
}
