import { AppError, identityErrors, type SignedIn } from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import { hashPassword, verifyPassword } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import { storePassword } from './account.store.ts'
import type { Attempts } from './attempt.service.ts'
import type { Passwords } from './password.service.ts'
import type { Sessions } from './session.service.ts'

type Deps = Pick<Services, 'db' | 'clock'> & {
  readonly attempts: Attempts
  readonly passwords: Passwords
  readonly sessions: Sessions
}

export const createPasswordChange =
  ({ db, clock, attempts, passwords, sessions }: Deps) =>
  /** A new token for this browser, as old as the one it replaces; every session of the person ends. */
  async (actor: Actor, input: { oldPassword: string; newPassword: string }, caller: Caller): Promise<SignedIn> => {
    // The new token is the person's own; whoever may act on one organisation only must not gain the others by it.
    if (actor.operating) throw new AppError(identityErrors.ownSessionOnly)
    const { oldPassword, newPassword } = await passwords.decryptAll(db, input)
    const wrong = { ...identityErrors.wrongCredentials, field: 'oldPassword' }
    const account = await attempts.provePasswordAgain(actor.id, oldPassword, wrong)
    await passwords.refuseWeak(newPassword, 'own')
    if (newPassword === oldPassword || (await verifyPassword(account.passwordHash, newPassword)))
      throw new AppError(identityErrors.passwordUnchanged)
    const passwordHash = await hashPassword(newPassword)
    return db.transaction().execute(async (tx) => {
      await storePassword(tx, actor.id, passwordHash, clock.now())
      return sessions.replace(tx, actor, caller)
    })
  }
