import type { Db } from '../../platform/db.ts'
import { createSeal } from '../../platform/seal.ts'
import type { Services } from '../../services.ts'
import { base32, newTotpSecret, otpauthUri } from './totp.ts'
import { offerSecret } from './two-factor.store.ts'

const contextOf = (userId: number) => `sys_user.totp_secret.${userId}`

/** The secret an authenticator app shares with us. It rests sealed, and is told once, to its owner. */
export const createSecondFactors = ({ secrets, settings }: Pick<Services, 'secrets' | 'settings'>) => {
  const { seal, unseal } = createSeal(secrets.sealKey)
  return {
    /** A new one, which counts for nothing until a code proves that an app holds it; undefined when one is in use. */
    offer: async (db: Db, { id, username }: { readonly id: number; readonly username: string }) => {
      const secret = newTotpSecret()
      if (!(await offerSecret(db, id, seal(secret.toString('base64'), contextOf(id))))) return undefined
      return { secret: base32(secret), uri: otpauthUri(secret, username, (await settings.get('title')).en) }
    },
    open: (userId: number, sealed: string): Buffer => Buffer.from(unseal(sealed, contextOf(userId)), 'base64'),
  }
}

export type SecondFactors = ReturnType<typeof createSecondFactors>
