import { createHash, randomInt } from 'node:crypto'
import { AppError, identityErrors, type SignedIn } from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { type Account, lengthenLock, mostAttempts, recordWrongCode } from './account.store.ts'
import type { Attempts } from './attempt.service.ts'
import type { Passwords } from './password.service.ts'
import type { SecondFactors } from './second-factor.ts'
import type { Sessions } from './session.service.ts'
import { endOtherSessions } from './session.store.ts'
import { isTopSuper, type SignIn } from './sign-in.service.ts'
import { removeTicket, tryTicket } from './ticket.store.ts'
import { hashToken } from './token.ts'
import { matchingStep } from './totp.ts'
import { enable, findSecondFactor, replaceRecoveryCodes, spendRecoveryCode, spendStep } from './two-factor.store.ts'
import { dropTwoFactor } from './user.store.ts'

/** However often somebody has guessed: on the day after, the owner may try again. */
const longestLockMinutes = 24 * 60
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
/** Tickets that nobody was given. They stop who sends them for a moment and count against nothing else. */
const madeUp: RateRule = { name: 'madeUpTicket', limit: 60, seconds: 60, by: 'address' }

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit' | 'notify'> & {
  readonly attempts: Attempts
  readonly passwords: Passwords
  readonly signIn: SignIn
  readonly sessions: Sessions
  readonly secondFactors: SecondFactors
}

export const createTwoFactor = (deps: Deps) => {
  const { db, clock, settings, rateLimit, notify, attempts, passwords, signIn, sessions, secondFactors } = deps

  /** A code of the app, once. */
  const proveByApp = async (userId: number, sealedSecret: string | null, code: string): Promise<boolean> => {
    if (!sealedSecret) return false
    const step = matchingStep(secondFactors.open(userId, sealedSecret), code, clock.now())
    return step !== undefined && spendStep(db, userId, step)
  }

  /** The same, or a recovery code, once. */
  const prove = async (userId: number, sealedSecret: string | null, code: string): Promise<boolean> =>
    recoveryShape.test(code)
      ? spendRecoveryCode(db, userId, hashRecoveryCode(code))
      : proveByApp(userId, sealedSecret, code)

  /** The more wrong codes there were since the last completed sign-in, the longer the lock that five of them end in. */
  const lockSeconds = async (wrongCodes: number) => {
    const minutes = await settings.get('lockMinutes')
    const locks = Math.ceil(wrongCodes / mostAttempts) - 1
    return Math.max(minutes, Math.min(minutes * 2 ** Math.min(locks, 16), longestLockMinutes)) * 60
  }

  /** A wrong code after a right password: somebody else may know the password, so its owner is told. */
  const noteWrongCode = async (account: Account, isNowLocked: boolean, caller: Caller) => {
    const now = clock.now()
    const wrongCodes = await recordWrongCode(db, account.id, caller.ip, now)
    if (!isNowLocked) return undefined
    const seconds = await lockSeconds(wrongCodes)
    await lengthenLock(db, account.id, addSeconds(now, seconds))
    const data = { count: wrongCodes, ip: caller.ip, minutes: seconds / 60 }
    await notify.notify(db, [account.id], { type: 'alert', word: 'wrongCodesLocked', data })
    return seconds / 60
  }

  /** The second step of signing in. Every wrong code counts like a wrong password, whichever ticket it came with. */
  const complete = async (
    ticket: string,
    code: string,
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn> => {
    const hash = hashToken(ticket)
    const pending = await tryTicket(db, 'twoFactor', hash, clock.now())
    if (!pending?.userId) {
      await rateLimit.take(madeUp, networkOf(caller.ip))
      throw new AppError(identityErrors.twoFactorTimedOut)
    }
    const settingUp = pending.data.settingUp === true
    const account = await attempts.proveAgain({
      userId: pending.userId,
      found,
      wrong: identityErrors.wrongTwoFactorCode,
      verify: async ({ id }) => {
        const { secret, enabled } = await findSecondFactor(db, id)
        if (!settingUp) return prove(id, secret, code)
        return !enabled && (await proveByApp(id, secret, code))
      },
      failed: (account, isNowLocked) => noteWrongCode(account, isNowLocked, caller),
    })
    if (!(await removeTicket(db, hash))) throw new AppError(identityErrors.twoFactorTimedOut)
    const arrival = { provedAll: true, wrongCodes: account.wrongCodes - (pending.attempts - 1) }
    if (!settingUp) return signIn.admit(account, caller, arrival)
    return signIn.arrive(account, caller, arrival, async (tx) => {
      await enable(tx, account.id)
      const codes = await renewCodes(tx, account.id)
      return { ...(await sessions.open(tx, account.id, caller)), ...codes }
    })
  }

  const provePassword = async (actor: Actor, cipher: string): Promise<Account> => {
    const password = await passwords.decrypt(db, cipher)
    return attempts.provePasswordAgain(actor.id, password)
  }

  /** The secret is shown this once; until a code proves that an app holds it, nothing is asked for. */
  const start = async (actor: Actor, cipher: string) => {
    const account = await provePassword(actor, cipher)
    if (isTopSuper(account)) throw new AppError(identityErrors.twoFactorNotForSuper)
    const offered = await secondFactors.offer(db, actor)
    if (!offered) throw new AppError(identityErrors.twoFactorAlreadyOn)
    return offered
  }

  const renewCodes = async (on: Db, userId: number) => {
    const recoveryCodes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
    await replaceRecoveryCodes(on, userId, recoveryCodes.map(hashRecoveryCode))
    return { recoveryCodes }
  }

  const finish = async (actor: Actor, code: string) => {
    if ((await findSecondFactor(db, actor.id)).enabled) throw new AppError(identityErrors.twoFactorAlreadyOn)
    await proveCode(actor, code)
    return db.transaction().execute(async (tx) => {
      await enable(tx, actor.id)
      await endOtherSessions(tx, actor.id, actor.originHash, clock.now())
      return renewCodes(tx, actor.id)
    })
  }

  /** Whoever is signed in may not guess codes either: a wrong one counts like a wrong password, a right one forgives none. */
  const proveCode = async (actor: Actor, code: string) => {
    const { secret } = await findSecondFactor(db, actor.id)
    const verify = () => prove(actor.id, secret, code)
    await attempts.proveAgain({ userId: actor.id, verify, wrong: identityErrors.wrongTwoFactorCode })
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
