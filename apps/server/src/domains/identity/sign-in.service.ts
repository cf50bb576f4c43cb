import { AppError, identityErrors, type PendingTwoFactor, type SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { later } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { type Account, recordSignIn } from './account.store.ts'
import { isAllowedFrom, isWithinValidity } from './account.ts'
import type { Sessions } from './session.service.ts'
import { insertTicket } from './ticket.store.ts'
import { hashToken, newToken } from './token.ts'

/** readings 6 */
export const twoFactorSeconds = 300

/** readings 162: the one account that cannot have two-factor. */
export const isTopSuper = ({ type, department }: Pick<Account, 'type' | 'department'>) => type === 0 && department.root

/** The last steps of every way in, after somebody has proved who they are. */
export const createSignIn = ({ db, clock, notify }: Pick<Services, 'db' | 'clock' | 'notify'>, sessions: Sessions) => {
  /** readings 161: told only now, to the owner. */
  const refuseUnwelcome = (account: Account, caller: Caller) => {
    if (!isAllowedFrom(account, caller.ip)) throw new AppError(identityErrors.ipNotAllowed, { ip: caller.ip })
    if (!isWithinValidity(account, clock.now())) throw new AppError(identityErrors.outsideValidity)
    if (account.disabled) throw new AppError(identityErrors.accountDisabled)
    if (!account.hasRole && account.type !== 0) throw new AppError(identityErrors.noRole)
  }

  /** Counter, time of the visit, session and alert appear together or not at all. */
  const admit = (account: Account, caller: Caller): Promise<SignedIn> => {
    refuseUnwelcome(account, caller)
    return db.transaction().execute(async (tx) => {
      const now = clock.now()
      await recordSignIn(tx, account.id, caller.ip, now)
      if (isTopSuper(account)) {
        const data = { username: account.username, ip: caller.ip }
        await notify.notify(tx, [account.id], { type: 'alert', word: 'superSignIn', data })
      }
      return sessions.open(tx, account.id, caller)
    })
  }

  const askSecondFactor = async (account: Account): Promise<PendingTwoFactor> => {
    const ticket = newToken()
    const expiresAt = later(clock.now(), twoFactorSeconds)
    await insertTicket(db, { kind: 'twoFactor', hash: hashToken(ticket), userId: account.id, expiresAt })
    const { id: departmentId, name: departmentName, type: departmentType } = account.department
    const { id: uid, username, type } = account
    return {
      enable2fa: true,
      loginInfo: { uid, username, type, departmentId, departmentName, departmentType, enable2fa: true },
      ticket,
    }
  }

  return { refuseUnwelcome, admit, askSecondFactor }
}

export type SignIn = ReturnType<typeof createSignIn>
