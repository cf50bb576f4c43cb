import { AppError, identityErrors } from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import type { Services } from '../../services.ts'
import type { Attempts } from './attempt.service.ts'
import type { MessageCodes } from './message-code.service.ts'
import type { Passwords } from './password.service.ts'
import { storeMobile } from './profile.store.ts'

type Deps = Pick<Services, 'db' | 'clock' | 'notify'> & {
  readonly attempts: Attempts
  readonly passwords: Passwords
  readonly codes: MessageCodes
}

/** One's own telephone number: a way in, so it changes only with the password and a code sent to it. */
export const createMobileChange = ({ db, clock, notify, attempts, passwords, codes }: Deps) => {
  const purpose = (actor: Actor, mobile: string) =>
    ({ kind: 'mobile', userId: actor.id, mobile, sessionHash: actor.sessionHash }) as const

  const provePassword = async (actor: Actor, cipher: string) =>
    attempts.provePasswordAgain(actor.id, await passwords.decrypt(db, cipher))

  /** Sent whether the number signs somebody in already or not; only whoever reads the code may hear that it does. */
  const start = async (actor: Actor, input: { password: string; mobile: string }, caller: Caller) => {
    await codes.gateway()
    await provePassword(actor, input.password)
    await codes.limit(input.mobile, caller)
    try {
      await codes.send(purpose(actor, input.mobile))
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError(identityErrors.messageNotSent)
    }
    return {}
  }

  const store = (actor: Actor, mobile: string | null) =>
    db.transaction().execute(async (tx) => {
      const before = await storeMobile(tx, actor.id, mobile)
      const time = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
      const word = mobile === null ? 'mobileRemoved' : 'mobileChanged'
      await notify.notify(tx, [actor.id], { type: 'alert', word, data: { mobile: mobile ?? '', time } })
      return { before: { mobile: before }, after: { mobile } }
    })

  const finish = async (actor: Actor, { mobile, code }: { mobile: string; code: string }) => {
    const verify = () => codes.check(purpose(actor, mobile), code)
    await attempts.proveAgain({ userId: actor.id, verify, wrong: identityErrors.wrongMobileCode })
    return store(actor, mobile)
  }

  const remove = async (actor: Actor, cipher: string) => {
    await provePassword(actor, cipher)
    return store(actor, null)
  }

  return { start, finish, remove }
}

export type MobileChange = ReturnType<typeof createMobileChange>
