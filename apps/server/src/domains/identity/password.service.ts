import { constants, createPrivateKey, privateDecrypt } from 'node:crypto'
import { AppError, checkPassword, identityErrors, passwordLimits } from '@campanile/contract'
import { z } from 'zod'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { insertTicket, takeTicket } from './ticket.store.ts'
import { hashToken, isToken, newToken } from './token.ts'

const nonceSeconds = 300
/** Everybody behind one address together: a whole school, or an office in which somebody enters accounts. */
const handingOut: RateRule = { name: 'publicKey', limit: 3000, seconds: 60, by: 'address' }
const sealed = z.strictObject({ nonce: z.string().refine(isToken), password: z.string().max(1024) })

type Deps = Pick<Services, 'db' | 'clock' | 'rateLimit' | 'secrets' | 'settings'>

export const createPasswords = ({ db, clock, rateLimit, secrets, settings }: Deps) => {
  const { privateKeyPem, publicKeyPem } = secrets.passwordKeyPair
  const privateKey = createPrivateKey(privateKeyPem)

  /** The key a browser encrypts passwords with, and a nonce that makes the result worth nothing a second time. */
  const offerKey = async (caller: Caller) => {
    await rateLimit.take(handingOut, networkOf(caller.ip))
    const nonce = newToken()
    await insertTicket(db, { kind: 'nonce', hash: hashToken(nonce), expiresAt: addSeconds(clock.now(), nonceSeconds) })
    return { publicKey: publicKeyPem, nonce }
  }

  const open = (cipher: string) => {
    const options = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
    return sealed.parse(JSON.parse(privateDecrypt(options, Buffer.from(cipher, 'base64')).toString('utf8')))
  }

  /**
   * Opens what one form sent; its passwords may share a nonce. Whatever is wrong with them (shape, key, nonce used or
   * too old) is one answer about the first of them, so that nothing is learnt about the key by asking.
   */
  const decryptAll = async <F extends string>(
    on: Db,
    ciphers: Readonly<Record<F, string>>,
  ): Promise<Record<F, string>> => {
    const [field = 'password'] = Object.keys(ciphers)
    const unreadable = new AppError({ ...identityErrors.secretUnreadable, field }, { field })
    let opened: (z.infer<typeof sealed> & { field: string })[]
    try {
      opened = Object.entries<string>(ciphers).map(([name, cipher]) => ({ field: name, ...open(cipher) }))
    } catch {
      throw unreadable
    }
    const now = clock.now()
    for (const nonce of new Set(opened.map((each) => each.nonce)))
      if (!(await takeTicket(on, 'nonce', hashToken(nonce), now))) throw unreadable
    return Object.fromEntries(opened.map((each) => [each.field, each.password])) as Record<F, string>
  }

  const decrypt = async (on: Db, cipher: string): Promise<string> =>
    (await decryptAll(on, { password: cipher })).password

  /** 21008 for one's own new password, 21266 for one given to somebody else. */
  const refuseWeak = async (password: string, whose: 'own' | 'other'): Promise<void> => {
    const profile = await settings.get('passwordProfile')
    const faults = checkPassword(profile, password)
    if (faults === 'ok') return
    const spec = whose === 'own' ? identityErrors.passwordWeak : identityErrors.passwordRuleBroken
    throw new AppError(spec, { ...passwordLimits[profile], faults })
  }

  return { offerKey, decrypt, decryptAll, refuseWeak }
}

export type Passwords = ReturnType<typeof createPasswords>
