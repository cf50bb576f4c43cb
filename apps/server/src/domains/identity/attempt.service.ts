import { createHash } from 'node:crypto'
import { AppError, type ErrorSpec, identityErrors } from '@campanile/contract'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import { verifyNothing, verifyPassword } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import {
  type Account,
  byId,
  byUsernameKey,
  giveAttemptBack,
  giveCheckBack,
  mostAttempts,
  reserveAttempt,
} from './account.store.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { hasSignedInFrom } from './sign-in-network.store.ts'

/** From the third on people are told how many are left. */
const tellFrom = 3
/**
 * While locked nothing is verified, save these few wrong ones: the owner, told by the right password how long it lasts,
 * must not become a way to go on guessing. From one network, from one where the owner has signed in before, and from all
 * where they have not.
 */
const checksWhileLocked = { here: 2, atHome: 5, overall: 20 }

const checking = { name: 'lockedCheck' }

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit'>

/** Somebody who has not proven anything yet. */
interface Stranger {
  /** The name or number as it was typed, whether it exists or not. */
  readonly typed: string
  readonly account: RawBuilder<SqlBool>
  readonly caller: Caller
  /** As much work without an account as with one. */
  readonly verify: (account: Account | undefined) => Promise<boolean>
  /** Hears whose account it is, before anything is known to be right. */
  readonly found?: (account: Account) => void
  /** What a wrong secret is answered with, where it is not the sign-in form's. */
  readonly wrong?: ErrorSpec
}

/** Somebody who is signed in, or has proven the password and is asked for more. */
interface Known {
  readonly userId: number
  readonly verify: (account: Account) => Promise<boolean>
  readonly wrong: ErrorSpec
  readonly found?: (account: Account) => void
  /** Hears of a wrong secret; what it answers is how many minutes the lock lasts that this one set. */
  readonly failed?: (account: Account, isNowLocked: boolean) => Promise<number | undefined>
}

/** One counter for every way in, whatever the spelling: password, codes, and each later prompt for one of them. */
export const createAttempts = ({ db, clock, settings, rateLimit }: Deps) => {
  const queue = createKeyedQueue()
  const lockMinutes = () => settings.get('lockMinutes')
  const reserve = async (which: RawBuilder<SqlBool>, minutes: number, isCheck = false) => {
    const now = clock.now()
    return reserveAttempt(db, which, { now, lockUntil: addSeconds(now, minutes * 60) }, isCheck)
  }

  const refusal = (wrong: ErrorSpec, attempt: number, minutes: number) => {
    if (attempt === mostAttempts) return new AppError(identityErrors.accountNowLocked, { minutes })
    const told = attempt >= tellFrom && attempt < mostAttempts
    return new AppError(wrong, told ? { remaining: mostAttempts - attempt } : undefined)
  }

  const locked = (until: string) => {
    const minutes = Math.max(1, Math.ceil((Date.parse(until) - clock.now().getTime()) / 60_000))
    return new AppError(identityErrors.accountLocked, { minutes })
  }

  /** The attempt is taken back when it proves right, and when it could not be judged. */
  const judge = async (attempt: number, userId: number, verify: () => Promise<boolean>) => {
    const right = await verify().catch(async (error: unknown) => {
      await giveAttemptBack(db, userId, attempt)
      throw error
    })
    if (right) await giveAttemptBack(db, userId, attempt)
    return right
  }

  /**
   * What a stranger is told depends on their own tries at this name alone, never on the account: the same words, counted
   * in the same place for the same time, whether there is such an account, whoever else tried it, and whether its owner
   * signed in meanwhile.
   */
  const countTries = (typed: string, caller: Caller, minutes: number) =>
    rateLimit.count({ name: 'wrongSecret', seconds: minutes * 60 }, triesKey(typed, caller))
  const triesKey = (typed: string, caller: Caller) =>
    `${createHash('sha256').update(typed).digest('hex')} ${networkOf(caller.ip)}`

  /** Those of strangers elsewhere must not use up what the owner is told at home. */
  const isCheckLeft = async (account: Account, checks: number, key: string, caller: Caller) => {
    const here = await rateLimit.count({ ...checking, seconds: (await lockMinutes()) * 60 }, key)
    if (await hasSignedInFrom(db, account.id, networkOf(caller.ip))) return here <= checksWhileLocked.atHome
    return here <= checksWhileLocked.here && checks <= checksWhileLocked.overall
  }

  /**
   * Finds the account and checks what its owner sent. Everybody waits in the same queue and costs the same work; with a
   * name that does not exist, a wrong secret and a locked account the answer is the same. An account's secret is
   * verified at most five times between successes, one at a time: ten right passwords at once are ten sign-ins and not
   * a lock.
   */
  const prove = ({
    typed,
    account: which,
    caller,
    verify,
    found,
    wrong = identityErrors.wrongCredentials,
  }: Stranger) => {
    // Whoever comes in a crowd is not the account's puzzled owner.
    const alone = !queue.isBusy(typed)
    return queue.take(typed, async (): Promise<Account> => {
      const minutes = await lockMinutes()
      const tries = await countTries(typed, caller, minutes)
      const reserved = await reserve(which, minutes, alone)
      if (reserved) found?.(reserved.account)
      const { account, attempt, checks } = reserved ?? { account: undefined, attempt: null, checks: 0 }
      if (account && attempt !== null) {
        if (!(await judge(attempt, account.id, () => verify(account)))) throw refusal(wrong, tries, minutes)
        await rateLimit.forget({ name: 'wrongSecret' }, triesKey(typed, caller))
        return account
      }
      const mayCheck = account && alone && (await isCheckLeft(account, checks, triesKey(typed, caller), caller))
      const isOwner = await verify(mayCheck ? account : undefined)
      if (isOwner && account?.lockedUntil) {
        await giveCheckBack(db, account.id)
        await rateLimit.giveBack(checking, triesKey(typed, caller))
        throw locked(account.lockedUntil)
      }
      throw refusal(wrong, tries, minutes)
    })
  }

  const proveByPassword = (
    username: string,
    password: string,
    asking: Pick<Stranger, 'caller' | 'found'>,
  ): Promise<Account> =>
    prove({
      ...asking,
      typed: username,
      account: byUsernameKey(username),
      verify: (account) => (account ? verifyPassword(account.passwordHash, password) : verifyNothing(password)),
    })

  /** Nothing is verified while the account is locked; that it is locked may be said, to whoever got as far as this. */
  const proveAgain = ({ userId, verify, wrong, found, failed }: Known): Promise<Account> =>
    queue.take(`account ${userId}`, async () => {
      const minutes = await lockMinutes()
      const reserved = await reserve(byId(userId), minutes)
      if (!reserved) throw new AppError(wrong)
      const { account, attempt } = reserved
      found?.(account)
      if (attempt === null) throw locked(account.lockedUntil as string)
      if (await judge(attempt, userId, () => verify(account))) return account
      const lockedFor = await failed?.(account, attempt >= mostAttempts)
      throw refusal(wrong, attempt, lockedFor ?? minutes)
    })

  const provePasswordAgain = (userId: number, password: string, wrong: ErrorSpec = identityErrors.wrongCredentials) =>
    proveAgain({ userId, verify: (account) => verifyPassword(account.passwordHash, password), wrong })

  return { prove, proveByPassword, proveAgain, provePasswordAgain, locked }
}

export type Attempts = ReturnType<typeof createAttempts>
