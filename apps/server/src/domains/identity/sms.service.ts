import { identityErrors, type PendingTwoFactor, type SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { verifyNothing } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import { type Account, byMobile, findAccount } from './account.store.ts'
import type { Attempts } from './attempt.service.ts'
import type { Captchas } from './captcha.service.ts'
import { failures } from './login.service.ts'
import type { MessageCodes } from './message-code.service.ts'
import type { SignIn } from './sign-in.service.ts'

type Deps = Pick<Services, 'db' | 'rateLimit' | 'log'> & {
  readonly captchas: Captchas
  readonly attempts: Attempts
  readonly codes: MessageCodes
  readonly signIn: SignIn
}

/** Where nobody has the number, a code is looked for all the same. */
const nobody = 0

/** Signing in with a number that its owner has confirmed. */
export const createSmsSignIn = ({ db, rateLimit, log, captchas, attempts, codes, signIn }: Deps) => {
  /** Answers the same, and as soon, whether the number belongs to somebody or not: the message goes out afterwards. */
  const send = async (
    input: { mobile: string; uuid?: string | undefined; code?: string | undefined },
    caller: Caller,
  ) => {
    const { mobile } = input
    await codes.gateway()
    await captchas.check(input)
    await codes.limit(mobile, caller)
    const account = await findAccount(db, byMobile(mobile))
    if (account)
      void codes
        .send({ kind: 'sms', userId: account.id, mobile })
        .catch((err: unknown) => log.warn({ err }, 'a sign-in code could not be sent'))
    return {}
  }

  /** The code is spent by the first look, and a wrong one counts like a wrong password. */
  const complete = async (
    { mobile, code }: { mobile: string; code: string },
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn | PendingTwoFactor> => {
    await codes.gateway()
    const from = networkOf(caller.ip)
    await rateLimit.take(failures, from)
    const account = await attempts.prove({
      typed: `mobile ${mobile}`,
      account: byMobile(mobile),
      caller,
      found,
      wrong: { ...identityErrors.wrongCredentials, field: 'code' },
      verify: async (owner) => {
        await verifyNothing(code)
        return codes.spend({ kind: 'sms', userId: owner?.id ?? nobody, mobile }, code)
      },
    })
    await rateLimit.giveBack(failures, from)
    return signIn.follow(account, caller, { provedAll: true })
  }

  return { send, complete }
}

export type SmsSignIn = ReturnType<typeof createSmsSignIn>
