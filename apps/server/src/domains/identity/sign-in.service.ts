import { AppError, identityErrors, type PendingTwoFactor, type SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { type Account, lockProven, recordSignIn } from './account.store.ts'
import { isAllowedFrom, isWithinValidity } from './account.ts'
import type { Attempts } from './attempt.service.ts'
import type { SecondFactors } from './second-factor.ts'
import type { Sessions } from './session.service.ts'
import { recordNetwork } from './sign-in-network.store.ts'
import { insertTicket } from './ticket.store.ts'
import { hashToken, newToken } from './token.ts'
import { overseersOf } from './user.store.ts'

/** How long the second step may take. */
const twoFactorSeconds = 300

/** The one account that cannot have two-factor (behaviour: sign-in.top-account). */
export const isTopSuper = ({ type, department }: Pick<Account, 'type' | 'department'>) => type === 0 && department.root

type Deps = Pick<Services, 'db' | 'clock' | 'notify'> & {
  readonly sessions: Sessions
  readonly attempts: Attempts
  readonly secondFactors: SecondFactors
}

interface Arrival {
  /** Every secret of the account was proven just now: earlier wrong ones are forgotten. */
  readonly provedAll: boolean
  /** Wrong codes of others, which the person hears of. */
  readonly wrongCodes?: number
}

/** The last steps of every way in, after somebody has proved who they are. */
export const createSignIn = ({ db, clock, notify, sessions, attempts, secondFactors }: Deps) => {
  /** Told only now, to the owner. */
  const refuseUnwelcome = (account: Account, caller: Caller) => {
    if (account.lockedUntil && Date.parse(account.lockedUntil) > clock.now().getTime())
      throw attempts.locked(account.lockedUntil)
    if (!isAllowedFrom(account, caller.ip)) throw new AppError(identityErrors.ipNotAllowed, { ip: caller.ip })
    if (!isWithinValidity(account, clock.now())) throw new AppError(identityErrors.outsideValidity)
    if (account.disabled) throw new AppError(identityErrors.accountDisabled)
    if (!account.hasRole && account.type !== 0) throw new AppError(identityErrors.noRole)
  }

  const tell = async (tx: Db, account: Account, caller: Caller, wrongCodes: number) => {
    if (isTopSuper(account)) {
      const data = { username: account.username, ip: caller.ip }
      // Whoever came in with a stolen password is not the one who needs to hear of it.
      const others = await overseersOf(tx, account.department.id, account.id)
      await notify.notify(tx, [account.id, ...others], { type: 'alert', word: 'superSignIn', data })
    }
    if (wrongCodes > 0) {
      const time = account.wrongCodeAt ? `${account.wrongCodeAt.slice(0, 16).replace('T', ' ')} UTC` : ''
      const data = { count: wrongCodes, time, ip: account.wrongCodeIp ?? '' }
      await notify.notify(tx, [account.id], { type: 'alert', word: 'wrongCodes', data })
    }
  }

  /** Counter, time of the visit, session and alert appear together or not at all. */
  const arrive = <T>(account: Account, caller: Caller, arrival: Arrival, open: (tx: Db) => Promise<T>): Promise<T> => {
    refuseUnwelcome(account, caller)
    return db.transaction().execute(async (tx) => {
      const visit = { ip: caller.ip, now: clock.now(), provedAll: arrival.provedAll }
      if (!(await recordSignIn(tx, account, visit))) throw new AppError(identityErrors.wrongCredentials)
      await recordNetwork(tx, account.id, networkOf(caller.ip), visit.now)
      await tell(tx, account, caller, arrival.wrongCodes ?? 0)
      return open(tx)
    })
  }

  const admit = (account: Account, caller: Caller, arrival: Arrival): Promise<SignedIn> =>
    arrive(account, caller, arrival, (tx) => sessions.open(tx, account.id, caller))

  const askSecondFactor = (account: Account): Promise<PendingTwoFactor> =>
    db.transaction().execute(async (tx) => {
      if (!(await lockProven(tx, account))) throw new AppError(identityErrors.wrongCredentials)
      const setup = account.enable2fa ? undefined : await secondFactors.offer(tx, account)
      const ticket = newToken()
      await insertTicket(tx, {
        kind: 'twoFactor',
        hash: hashToken(ticket),
        userId: account.id,
        expiresAt: addSeconds(clock.now(), twoFactorSeconds),
        data: { settingUp: setup !== undefined },
      })
      const { id: departmentId, name: departmentName, type: departmentType } = account.department
      const { id: uid, username, type } = account
      return {
        enable2fa: true,
        loginInfo: { uid, username, type, departmentId, departmentName, departmentType, enable2fa: true },
        ticket,
        ...(setup && { setup }),
      }
    })

  /** What the account lacks may still keep its owner out, before they are asked for a second step. */
  const follow = async (account: Account, caller: Caller, arrival: Arrival): Promise<SignedIn | PendingTwoFactor> => {
    refuseUnwelcome(account, caller)
    return account.enable2fa || account.twoFactorWanted ? askSecondFactor(account) : admit(account, caller, arrival)
  }

  return { arrive, admit, follow }
}

export type SignIn = ReturnType<typeof createSignIn>
