import { createHash } from 'node:crypto'
import { AppError, type ErrorSpec, identityErrors } from '@campanile/contract'
import { later } from '../../platform/clock.ts'
import { verifyNothing, verifyPassword } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import { type Account, giveAttemptBack, mostAttempts, reserveAttempt } from './account.store.ts'
import { createTurns } from './turns.ts'

/** readings 119: from the third on people are told how many are left. */
const tellFrom = 3
/**
 * While locked nothing is verified, save these few: the owner, told by the right password how long it lasts
 * (readings 161), must not become a way to go on guessing.
 */
const checksWhileLocked = 2

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit'>

interface Asking {
  /** Hears whose account it is, before anything is known to be right. */
  readonly found?: (account: Account) => void
  /** What a wrong secret is answered with, where it is not the sign-in form's. */
  readonly wrong?: ErrorSpec
}

/** One counter for every way in, whatever the spelling: password, message code, and each later prompt for the password. */
export const createAttempts = ({ db, clock, settings, rateLimit }: Deps) => {
  const turns = createTurns()
  const lockUntil = async () => later(clock.now(), (await settings.get('lockMinutes')) * 60)

  const refusal = (wrong: ErrorSpec, attempt: number | null, minutes: number) => {
    if (attempt === mostAttempts) return new AppError(identityErrors.accountNowLocked, { minutes })
    const told = attempt !== null && attempt >= tellFrom && attempt < mostAttempts
    return new AppError(wrong, told ? { remaining: mostAttempts - attempt } : undefined)
  }

  /** Names that do not exist count as well, or their answers would tell that they do not. */
  const countUnknown = async (key: string, minutes: number) =>
    rateLimit.count({ name: 'unknownName', seconds: minutes * 60 }, createHash('sha256').update(key).digest('hex'))

  const minutesLeft = (until: string) => Math.max(1, Math.ceil((Date.parse(until) - clock.now().getTime()) / 60_000))

  /**
   * One attempt on an account at a time: ten right passwords at once are ten sign-ins and not a lock. Right ones are
   * taken back from the count; null when the name does not exist or the account is locked.
   */
  const judge = (key: string, verify: (account: Account) => Promise<boolean>, found?: Asking['found']) =>
    turns.take(key, async () => {
      const now = clock.now()
      const reserved = await reserveAttempt(db, key, { now, lockUntil: await lockUntil() })
      if (!reserved) return undefined
      const { account, attempt } = reserved
      found?.(account)
      if (attempt === null) return { account, attempt, right: false }
      const right = await verify(account).catch(async (error: unknown) => {
        await giveAttemptBack(db, account.id, attempt)
        throw error
      })
      if (right) await giveAttemptBack(db, account.id, attempt)
      return { account, attempt, right }
    })

  /**
   * Finds the account behind a key and checks what its owner sent; the answer is the same, and as slow, for a name
   * that does not exist, a wrong secret and a locked account. `verify` is called at most five times between successes.
   */
  const prove = async (
    key: string,
    secret: string,
    verify: (account: Account) => Promise<boolean>,
    { found, wrong = identityErrors.wrongCredentials }: Asking = {},
  ): Promise<Account> => {
    const minutes = await settings.get('lockMinutes')
    // Whoever comes in a crowd is not the account's puzzled owner.
    const alone = !turns.isBusy(key)
    const judged = await judge(key, verify, found)
    if (!judged) {
      const attempt = await countUnknown(key, minutes)
      await verifyNothing(secret)
      throw refusal(wrong, attempt > mostAttempts ? null : attempt, minutes)
    }
    const { account, attempt, right } = judged
    if (right) return account
    if (attempt !== null) throw refusal(wrong, attempt, minutes)
    const asked = alone
      ? await rateLimit.count({ name: 'lockedCheck', seconds: minutes * 60 }, String(account.id))
      : Number.POSITIVE_INFINITY
    const isOwner = asked <= checksWhileLocked ? await verify(account) : await verifyNothing(secret)
    if (isOwner && account.lockedUntil)
      throw new AppError(identityErrors.accountLocked, { minutes: minutesLeft(account.lockedUntil) })
    throw refusal(wrong, null, minutes)
  }

  const proveByPassword = (key: string, password: string, asking?: Asking) =>
    prove(key, password, (account) => verifyPassword(account.passwordHash, password), asking)

  return { prove, proveByPassword, minutesLeft, lockUntil }
}

export type Attempts = ReturnType<typeof createAttempts>
