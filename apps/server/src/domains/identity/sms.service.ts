import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { AppError, identityErrors, type PendingTwoFactor, type SignedIn } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { later } from '../../platform/clock.ts'
import { postJson } from '../../platform/outbound.ts'
import { verifyNothing } from '../../platform/password-hash.ts'
import { networkOf, type RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { type Account, findAccountByMobile } from './account.store.ts'
import { usernameKey } from './account.ts'
import type { Attempts } from './attempt.service.ts'
import type { Captchas } from './captcha.service.ts'
import { failures, type Login } from './login.service.ts'
import { insertTicket, removeTicket, takeTicket } from './ticket.store.ts'

const codeSeconds = 300
const webhookMs = 5000
const perMobile: RateRule = { name: 'smsMinute', limit: 1, seconds: 60, by: 'person' }
const perMobileHour: RateRule = { name: 'smsHour', limit: 5, seconds: 3600, by: 'person' }
const perAddress: RateRule = { name: 'smsAddress', limit: 20, seconds: 3600, by: 'address' }

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit' | 'secrets' | 'log'> & {
  readonly captchas: Captchas
  readonly attempts: Attempts
  readonly login: Login
}

/** readings 19: works once an SMS gateway (a webhook) is configured. */
export const createSmsSignIn = (deps: Deps) => {
  const { db, clock, settings, rateLimit, secrets, log, captchas, attempts, login } = deps
  const ticketOf = (mobile: string) => createHash('sha256').update(`sms ${mobile}`).digest()
  const hashCode = (mobile: string, code: string) =>
    createHmac('sha256', secrets.signingKey).update(`sms ${mobile} ${code}`).digest('base64url')

  const webhook = async () => {
    const { smsWebhook, allowPrivateServer } = await settings.all()
    if (!smsWebhook) throw new AppError(identityErrors.externalNotConfigured)
    return { smsWebhook, allowPrivateServer }
  }

  const deliver = async (mobile: string) => {
    const { smsWebhook, allowPrivateServer } = await webhook()
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const hash = ticketOf(mobile)
    await removeTicket(db, hash)
    const expiresAt = later(clock.now(), codeSeconds)
    await insertTicket(db, { kind: 'sms', hash, expiresAt, data: { code: hashCode(mobile, code) } })
    const status = await postJson(
      smsWebhook,
      { mobile, code },
      { timeoutMs: webhookMs, allowPrivate: allowPrivateServer },
    )
    if (status >= 300) log.warn({ status }, 'the SMS gateway refused a message')
  }

  /** Answers the same, and as soon, whether the number belongs to somebody or not: the message goes out afterwards. */
  const send = async (
    input: { mobile: string; uuid?: string | undefined; code?: string | undefined },
    caller: Caller,
  ) => {
    await webhook()
    await captchas.check(input)
    await rateLimit.take(perAddress, networkOf(caller.ip))
    await rateLimit.take(perMobile, input.mobile)
    await rateLimit.take(perMobileHour, input.mobile)
    if (await findAccountByMobile(db, input.mobile))
      void deliver(input.mobile).catch((err: unknown) => log.warn({ err }, 'a sign-in code could not be sent'))
    return {}
  }

  /** The code is spent by the first look, and a wrong one counts like a wrong password. */
  const isRight = async (mobile: string, code: string) => {
    const ticket = await takeTicket(db, 'sms', ticketOf(mobile), clock.now())
    const expected = Buffer.from(String(ticket?.data.code ?? ''))
    const given = Buffer.from(hashCode(mobile, code))
    return expected.length === given.length && timingSafeEqual(expected, given)
  }

  const complete = async (
    { mobile, code }: { mobile: string; code: string },
    caller: Caller,
    found: (account: Account) => void,
  ): Promise<SignedIn | PendingTwoFactor> => {
    await webhook()
    const from = networkOf(caller.ip)
    await rateLimit.take(failures, from)
    const account = await findAccountByMobile(db, mobile)
    // A number nobody has leads to the name nobody has, so that both answers look alike.
    const key = account ? usernameKey(account.username) : `mobile ${mobile}`
    const wrong = { ...identityErrors.wrongCredentials, field: 'code' }
    const verify = async () => {
      await verifyNothing(code)
      return isRight(mobile, code)
    }
    const proven = await attempts.prove(key, code, verify, { found, wrong })
    await rateLimit.giveBack(failures, from)
    return login.follow(proven, caller)
  }

  return { send, complete }
}

export type SmsSignIn = ReturnType<typeof createSmsSignIn>
