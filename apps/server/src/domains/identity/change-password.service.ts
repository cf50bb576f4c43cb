import { AppError, identityErrors, type SignedIn } from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import { hashPassword, verifyPassword } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import { clearAttempts, storePassword } from './account.store.ts'
import { usernameKey } from './account.ts'
import type { Attempts } from './attempt.service.ts'
import type { Passwords } from './password.service.ts'
import type { Sessions } from './session.service.ts'
import { endSessionsOf } from './session.store.ts'

type Deps = Pick<Services, 'db' | 'clock'> & {
  readonly attempts: Attempts
  readonly passwords: Passwords
  readonly sessions: Sessions
}

export const createPasswordChange =
  ({ db, clock, attempts, passwords, sessions }: Deps) =>
  /** A new token for this browser; every other session of the person ends. */
  async (actor: Actor, input: { oldPassword: string; newPassword: string }, caller: Caller): Promise<SignedIn> => {
    const [oldPassword = '', newPassword = ''] = await passwords.decryptAll(db, [input.oldPassword, input.newPassword])
    const wrong = { ...identityErrors.wrongCredentials, field: 'oldPassword' }
    const account = await attempts.proveByPassword(usernameKey(actor.username), oldPassword, { wrong })
    await clearAttempts(db, account.id)
    await passwords.refuseWeak(newPassword, 'own')
    if (newPassword === oldPassword || (await verifyPassword(account.passwordHash, newPassword)))
      throw new AppError(identityErrors.passwordUnchanged)
    const passwordHash = await hashPassword(newPassword)
    return db.transaction().execute(async (tx) => {
      const now = clock.now()
      await storePassword(tx, actor.id, passwordHash, now)
      await endSessionsOf(tx, [actor.id], now)
      return sessions.open(tx, actor.id, caller)
    })
  }
