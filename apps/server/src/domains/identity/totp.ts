import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
/** A step early or late: clocks of phones differ. */
const drift = 1
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newTotpSecret = () => randomBytes(20)

/** RFC 4648, without padding: how authenticator apps take a secret by hand. */
export const base32 = (bytes: Uint8Array): string => {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text
}

/** RFC 4226 with the moving factor of RFC 6238. */
export const totpCode = (secret: Uint8Array, step: number, digits = 6): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac[19] as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

export const stepAt = (time: Date) => Math.floor(time.getTime() / 1000 / stepSeconds)

/** The step a code belongs to; undefined when it is wrong. Six ASCII digits and nothing around them. */
export const matchingStep = (secret: Uint8Array, code: string, time: Date): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = stepAt(time)
  let matched: number | undefined
  for (let step = now - drift; step <= now + drift; step++)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) matched = step
  return matched
}

export const otpauthUri = (secret: Uint8Array, account: string, issuer: string) => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=${stepSeconds}`
  return `otpauth://totp/${label}?${query}`
}
