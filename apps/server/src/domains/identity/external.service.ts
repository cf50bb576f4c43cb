import { createHash } from 'node:crypto'
import { AppError, identityErrors, type PendingTwoFactor, type SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { type Account, byUsernameKey, findAccount } from './account.store.ts'
import { usernameKey } from './account.ts'
import { type Claims, readIssuerKey, readIssuerToken } from './issuer-token.ts'
import { findPlace } from './place.store.ts'
import { isTopSuper, type SignIn } from './sign-in.service.ts'
import { insertTicket } from './ticket.store.ts'

const audience = 'campanile'
/** behaviour: sign-in.other-ways */
const longestSeconds = 60
/** Two servers' clocks. */
const skewSeconds = 5

/** Tokens the trusted system never signed. They stop who sends them for a moment and count against nothing else. */
const madeUp: RateRule = { name: 'madeUpToken', limit: 60, seconds: 60, by: 'address' }

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit'> & { readonly signIn: SignIn }

/** Signing in with a token of the one external system the installation trusts: in place of the password, not of the second factor. */
export const createExternalSignIn = ({ db, clock, settings, rateLimit, signIn }: Deps) => {
  const issuedAt = ({ exp, iat }: Claims) => iat ?? exp - longestSeconds
  const isCurrent = (claims: Claims) => {
    const { exp, nbf } = claims
    const now = clock.now().getTime() / 1000
    const issued = issuedAt(claims)
    return (
      exp > now &&
      exp <= now + longestSeconds + skewSeconds &&
      exp - issued <= longestSeconds &&
      issued <= now + skewSeconds &&
      (nbf ?? 0) <= now + skewSeconds
    )
  }

  const isOnce = ({ iss, jti, exp }: Claims) =>
    insertTicket(db, {
      kind: 'external',
      hash: createHash('sha256')
        .update(JSON.stringify(['external', iss, jti]))
        .digest(),
      expiresAt: new Date((exp + skewSeconds) * 1000),
    })

  return async (
    token: string,
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn | PendingTwoFactor> => {
    const { trustedIssuer, trustedIssuerKey, trustedIssuerDepartmentId } = await settings.all()
    const key = trustedIssuerKey ? readIssuerKey(trustedIssuerKey) : undefined
    const place = trustedIssuerDepartmentId ? await findPlace(db, trustedIssuerDepartmentId) : undefined
    if (!trustedIssuer || !key || !place) throw new AppError(identityErrors.externalNotConfigured)
    const claims = await readIssuerToken(token, key)
    if (!claims || claims.iss !== trustedIssuer || ![claims.aud].flat().includes(audience)) {
      await rateLimit.take(madeUp, networkOf(caller.ip))
      throw new AppError(identityErrors.externalRefused)
    }
    if (!isCurrent(claims) || !(await isOnce(claims))) throw new AppError(identityErrors.externalTokenUsed)
    const account = await findAccount(db, byUsernameKey(usernameKey(claims.sub)))
    // Its word is taken for its own organisation only, and never for the installation's super administrator.
    const isTheirs = account && `${account.department.path}.`.startsWith(`${place.path}.`) && !isTopSuper(account)
    if (!account || !isTheirs) throw new AppError(identityErrors.externalNotLinked)
    found(account)
    // A new password ends what was handed out before it, here as everywhere.
    if ((issuedAt(claims) + skewSeconds) * 1000 < Date.parse(account.passwordChangedAt))
      throw new AppError(identityErrors.externalTokenUsed)
    return signIn.follow(account, caller, { provedAll: false })
  }
}

export type ExternalSignIn = ReturnType<typeof createExternalSignIn>
