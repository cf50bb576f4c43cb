import { AppError, identityErrors, type PendingTwoFactor, type SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { verifyNothing } from '../../platform/password-hash.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { type Account, byMobile, findAccount } from './account.store.ts'
import type { Captchas } from './captcha.service.ts'
import type { MessageCodes } from './message-code.service.ts'
import type { SignIn } from './sign-in.service.ts'

type Deps = Pick<Services, 'db' | 'rateLimit' | 'log'> & {
  readonly captchas: Captchas
  readonly codes: MessageCodes
  readonly signIn: SignIn
}

/** Wrong codes from one address, whatever number they name. A right one is never refused for them. */
const wrongCodes: RateRule = { name: 'wrongMessageCode', limit: 60, seconds: 60, by: 'address' }
/** Where nobody has the number, a code is looked for all the same. */
const nobody = 0

/** Signing in with a number that its owner has confirmed. */
export const createSmsSignIn = ({ db, rateLimit, log, captchas, codes, signIn }: Deps) => {
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

  /**
   * A wrong code counts on the code that was sent and on nothing else: whoever knows a number could otherwise lock its
   * owner out of the password as well. Costs and tells the same whether somebody has the number or not.
   */
  const complete = async (
    { mobile, code }: { mobile: string; code: string },
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn | PendingTwoFactor> => {
    await codes.gateway()
    const account = await findAccount(db, byMobile(mobile))
    await verifyNothing(code)
    const isRight = await codes.spend({ kind: 'sms', userId: account?.id ?? nobody, mobile }, code)
    if (account) found(account)
    if (!account || !isRight) {
      await rateLimit.take(wrongCodes, networkOf(caller.ip))
      throw new AppError({ ...identityErrors.wrongCredentials, field: 'code' })
    }
    return signIn.follow(account, caller, { provedAll: true })
  }

  return { send, complete }
}

export type SmsSignIn = ReturnType<typeof createSmsSignIn>
