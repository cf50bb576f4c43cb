import type { PendingTwoFactor, SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import type { Account } from './account.store.ts'
import { usernameKey } from './account.ts'
import type { Attempts } from './attempt.service.ts'
import type { Captchas } from './captcha.service.ts'
import type { SignIn } from './sign-in.service.ts'

/** Failures from one address, whatever accounts they try: somebody who would lock out everybody is stopped first. */
export const failures: RateRule = { name: 'signInFailure', limit: 50, seconds: 900, by: 'address' }

type Deps = Pick<Services, 'rateLimit'> & {
  readonly captchas: Captchas
  readonly attempts: Attempts
  readonly signIn: SignIn
}

export interface PasswordLogin {
  readonly uuid?: string | undefined
  readonly code?: string | undefined
  readonly username: string
  readonly password: string
}

export const createLogin = ({ rateLimit, captchas, attempts, signIn }: Deps) => {
  const byPassword = async (
    input: PasswordLogin,
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn | PendingTwoFactor> => {
    await captchas.check(input)
    const from = networkOf(caller.ip)
    await rateLimit.take(failures, from)
    const account = await attempts.proveByPassword(usernameKey(input.username), input.password, { caller, found })
    await rateLimit.giveBack(failures, from)
    return signIn.follow(account, caller, { provedAll: true })
  }

  return { byPassword }
}

export type Login = ReturnType<typeof createLogin>
