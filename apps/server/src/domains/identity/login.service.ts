import type { PendingTwoFactor, SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { verifyNothing } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import { type Account, byUsernameKey, findAccount } from './account.store.ts'
import { usernameKey } from './account.ts'
import type { Attempts } from './attempt.service.ts'
import type { Captchas } from './captcha.service.ts'
import type { SignIn } from './sign-in.service.ts'
import { hasSignedInFrom } from './sign-in-network.store.ts'
import { type Demand, refusalOf, type WrongPasswords } from './wrong-passwords.ts'

type Deps = Pick<Services, 'db'> & {
  readonly captchas: Captchas
  readonly attempts: Attempts
  readonly signIn: SignIn
  readonly wrongPasswords: WrongPasswords
}

export interface PasswordLogin {
  readonly uuid?: string | undefined
  readonly code?: string | undefined
  readonly username: string
  readonly password: string
}

export const createLogin = ({ db, captchas, attempts, signIn, wrongPasswords }: Deps) => {
  /** Somebody who has been here before is let in by the right password; every other answer is the same for everybody. */
  const proveIfKnownHere = async (input: PasswordLogin, demand: Demand, prove: () => Promise<Account>, ip: string) => {
    const account = await findAccount(db, byUsernameKey(usernameKey(input.username)))
    if (account && (await hasSignedInFrom(db, account.id, networkOf(ip))))
      return prove().catch((error: unknown) => {
        throw wrongPasswords.isWrong(error) ? refusalOf(demand) : error
      })
    await verifyNothing(input.password)
    throw refusalOf(demand)
  }

  const byPassword = async (
    input: PasswordLogin,
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn | PendingTwoFactor> => {
    const demand = await wrongPasswords.demandAt(caller.ip)
    if (demand.asks === 'nothing') await captchas.check(input)
    const isMet = demand.asks === 'nothing' || ((await captchas.hasRead(input)) && demand.asks === 'picture')
    const prove = () =>
      wrongPasswords.counting(caller.ip, () =>
        attempts.proveByPassword(usernameKey(input.username), input.password, { caller, found }),
      )
    const account = isMet ? await prove() : await proveIfKnownHere(input, demand, prove, caller.ip)
    return signIn.follow(account, caller, { provedAll: true })
  }

  return { byPassword }
}

export type Login = ReturnType<typeof createLogin>
