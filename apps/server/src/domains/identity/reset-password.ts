import { success } from '@campanile/contract'
import { recordOperation } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { hashPassword } from '../../platform/password-hash.ts'
import { byUsernameKey, clearAttempts, findAccount, storePassword } from './account.store.ts'
import { usernameKey } from './account.ts'
import { generatePassword } from './generate-password.ts'
import { endSessionsOf } from './session.store.ts'

/** For whoever sits at the server itself: a new password, which is shown this once. Undefined when there is no such account. */
export const resetPassword = async (db: Db, name: string): Promise<string | undefined> => {
  const account = await findAccount(db, byUsernameKey(usernameKey(name)))
  if (!account) return undefined
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const now = new Date()
    await storePassword(tx, account.id, passwordHash, now)
    await clearAttempts(tx, account.id)
    await endSessionsOf(tx, [account.id], now)
    await recordOperation(tx, {
      actor: account,
      clientIp: '',
      host: '',
      userAgent: '',
      route: 'user reset-password',
      module: 'user',
      type: 'action',
      description: account.username,
      result: 'success',
      code: success,
    })
  })
  return password
}
