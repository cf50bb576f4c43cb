import { createHash, randomInt } from 'node:crypto'
import { AppError, identityErrors, type SignedIn } from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { createSeal } from '../../platform/seal.ts'
import type { Services } from '../../services.ts'
import { type Account, clearAttempts, countFailure, findAccountById } from './account.store.ts'
import { usernameKey } from './account.ts'
import type { Attempts } from './attempt.service.ts'
import type { Passwords } from './password.service.ts'
import { endOtherSessions } from './session.store.ts'
import { isTopSuper, type SignIn } from './sign-in.service.ts'
import { removeTicket, tryTicket } from './ticket.store.ts'
import { hashToken } from './token.ts'
import { base32, matchingStep, newTotpSecret, otpauthUri } from './totp.ts'
import {
  enable,
  findSecondFactor,
  offerSecret,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from './two-factor.store.ts'
import { dropTwoFactor } from './user.store.ts'

/** Wrong codes that end a pending sign-in. */
const mostCodes = 5
const recoveryCodeCount = 10
const recoveryCharacters = 'abcdefghjkmnpqrstuvwxyz23456789'
const recoveryShape = /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/

/** About 79 bits each, so a plain hash is enough. */
const newRecoveryCode = () =>
  Array.from({ length: 16 }, (_, at) => {
    const character = recoveryCharacters[randomInt(recoveryCharacters.length)]
    return at > 0 && at % 4 === 0 ? `-${character}` : character
  }).join('')
const hashRecoveryCode = (code: string) => createHash('sha256').update(code).digest('hex')
const secretContext = (userId: number) => `sys_user.totp_secret.${userId}`

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'secrets'> & {
  readonly attempts: Attempts
  readonly passwords: Passwords
  readonly signIn: SignIn
}

export const createTwoFactor = ({ db, clock, settings, secrets, attempts, passwords, signIn }: Deps) => {
  const { seal, unseal } = createSeal(secrets.sealKey)

  /** A code of the app, once; or a recovery code, once. */
  const prove = async (userId: number, sealedSecret: string | null, code: string): Promise<boolean> => {
    if (recoveryShape.test(code)) return spendRecoveryCode(db, userId, hashRecoveryCode(code))
    if (!sealedSecret) return false
    const secret = Buffer.from(unseal(sealedSecret, secretContext(userId)), 'base64')
    const step = matchingStep(secret, code, clock.now())
    return step !== undefined && spendStep(db, userId, step)
  }

  /** The second step of signing in. Five wrong codes end it and count as one wrong password. */
  const complete = async (
    ticket: string,
    code: string,
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn> => {
    const hash = hashToken(ticket)
    const now = clock.now()
    const pending = await tryTicket(db, 'twoFactor', hash, mostCodes, now)
    const account = pending?.userId ? await findAccountById(db, pending.userId) : undefined
    if (!pending || !account) throw new AppError(identityErrors.twoFactorTimedOut)
    found(account)
    const { secret } = await findSecondFactor(db, account.id)
    if (!(await prove(account.id, secret, code))) {
      if (pending.attempts >= mostCodes && (await removeTicket(db, hash)))
        await countFailure(db, account.id, { now, lockUntil: await attempts.lockUntil() })
      throw new AppError(identityErrors.wrongTwoFactorCode)
    }
    if (!(await removeTicket(db, hash))) throw new AppError(identityErrors.twoFactorTimedOut)
    if (account.lockedUntil && Date.parse(account.lockedUntil) > now.getTime())
      throw new AppError(identityErrors.accountLocked, { minutes: attempts.minutesLeft(account.lockedUntil) })
    return signIn.admit(account, caller)
  }

  const provePassword = async (actor: Actor, cipher: string): Promise<Account> => {
    const password = await passwords.decrypt(db, cipher)
    const account = await attempts.proveByPassword(usernameKey(actor.username), password)
    await clearAttempts(db, account.id)
    return account
  }

  /** The secret is shown this once; until a code proves that an app holds it, nothing is asked for. */
  const start = async (actor: Actor, cipher: string) => {
    const account = await provePassword(actor, cipher)
    if (isTopSuper(account)) throw new AppError(identityErrors.twoFactorNotForSuper)
    const secret = newTotpSecret()
    if (!(await offerSecret(db, actor.id, seal(secret.toString('base64'), secretContext(actor.id)))))
      throw new AppError(identityErrors.twoFactorAlreadyOn)
    const issuer = (await settings.get('title')).en
    return { secret: base32(secret), uri: otpauthUri(secret, actor.username, issuer) }
  }

  const renewCodes = async (on: Db, userId: number) => {
    const recoveryCodes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
    await replaceRecoveryCodes(on, userId, recoveryCodes.map(hashRecoveryCode))
    return { recoveryCodes }
  }

  const finish = async (actor: Actor, code: string) => {
    const { secret, enabled } = await findSecondFactor(db, actor.id)
    if (enabled) throw new AppError(identityErrors.twoFactorAlreadyOn)
    if (!(await prove(actor.id, secret, code))) throw new AppError(identityErrors.wrongTwoFactorCode)
    return db.transaction().execute(async (tx) => {
      await enable(tx, actor.id)
      await endOtherSessions(tx, actor.id, actor.originHash, clock.now())
      return renewCodes(tx, actor.id)
    })
  }

  /** Whoever is signed in may not guess codes either: a wrong one counts like a wrong password. */
  const proveCode = async (actor: Actor, code: string) => {
    const { secret } = await findSecondFactor(db, actor.id)
    const verify = () => prove(actor.id, secret, code)
    await attempts.prove(usernameKey(actor.username), code, verify, { wrong: identityErrors.wrongTwoFactorCode })
    await clearAttempts(db, actor.id)
  }

  const stop = async (actor: Actor, cipher: string, code: string) => {
    await provePassword(actor, cipher)
    await proveCode(actor, code)
    await db.transaction().execute(async (tx) => {
      await dropTwoFactor(tx, actor.id)
      await endOtherSessions(tx, actor.id, actor.originHash, clock.now())
    })
    return {}
  }

  const renew = async (actor: Actor, code: string) => {
    await proveCode(actor, code)
    return db.transaction().execute((tx) => renewCodes(tx, actor.id))
  }

  return { complete, start, finish, stop, renew }
}

export type TwoFactor = ReturnType<typeof createTwoFactor>
