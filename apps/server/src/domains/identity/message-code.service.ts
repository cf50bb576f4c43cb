import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { AppError, identityErrors } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import { PrivateAddress, postJson } from '../../platform/outbound.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { findTicket, insertTicket, removeTicket, tryTicket } from './ticket.store.ts'

const codeSeconds = 300
/** How often one code may be tried. */
const codeTries = 5
const webhookMs = 5000
const perMobile: RateRule = { name: 'smsMinute', limit: 1, seconds: 60, by: 'person' }
const perMobileHour: RateRule = { name: 'smsHour', limit: 5, seconds: 3600, by: 'person' }
const perAddress: RateRule = { name: 'smsAddress', limit: 20, seconds: 3600, by: 'address' }

/** What a code is for. One that signs in confirms no number, and the other way round. */
interface Purpose {
  readonly kind: 'sms' | 'mobile'
  readonly userId: number
  readonly mobile: string
  /** The session that asked for it; the code ends with it. */
  readonly sessionHash?: Buffer
}

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit' | 'secrets' | 'log'>

/** Six digits by message; they work once an SMS gateway (a webhook) is configured. */
export const createMessageCodes = ({ db, clock, settings, rateLimit, secrets, log }: Deps) => {
  const ticketOf = ({ kind, userId, mobile }: Purpose) =>
    createHash('sha256').update(`${kind} ${userId} ${mobile}`).digest()
  const hashCode = ({ kind, userId, mobile }: Purpose, code: string) =>
    createHmac('sha256', secrets.signingKey).update(`${kind} ${userId} ${mobile} ${code}`).digest('base64url')

  const gateway = async () => {
    const { smsWebhook, allowPrivateServer } = await settings.all()
    if (!smsWebhook) throw new AppError(identityErrors.externalNotConfigured)
    return { smsWebhook, allowPrivateServer }
  }

  /** Counted on the number, whoever asks and whatever for: it is somebody's telephone that rings. */
  const limit = async (mobile: string, caller: Caller) => {
    await rateLimit.take(perAddress, networkOf(caller.ip))
    await rateLimit.take(perMobile, mobile)
    await rateLimit.take(perMobileHour, mobile)
  }

  const send = async (purpose: Purpose): Promise<void> => {
    const { smsWebhook, allowPrivateServer } = await gateway()
    const { kind, userId, mobile, sessionHash } = purpose
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const hash = ticketOf(purpose)
    await removeTicket(db, hash)
    const expiresAt = addSeconds(clock.now(), codeSeconds)
    const data = { code: hashCode(purpose, code) }
    await insertTicket(db, { kind, hash, userId, ...(sessionHash && { sessionHash }), expiresAt, data })
    const options = { timeoutMs: webhookMs, allowPrivate: allowPrivateServer }
    const status = await postJson(smsWebhook, { mobile, code }, options).catch((err: unknown) => {
      const why = err instanceof PrivateAddress ? 'it lies inside a private network' : 'it does not answer'
      log.warn({ err }, `the SMS gateway was not reached: ${why}`)
      throw err
    })
    if (status < 300) return
    log.warn({ status }, 'the SMS gateway refused a message')
    throw new AppError(identityErrors.messageNotSent)
  }

  const matches = (purpose: Purpose, code: string, stored: unknown) => {
    const expected = Buffer.from(String(stored ?? ''))
    const given = Buffer.from(hashCode(purpose, code))
    return expected.length === given.length && timingSafeEqual(expected, given)
  }

  /** Spent when it is right, and worth nothing after so many wrong ones; where none was sent nothing is counted. */
  const spend = async (purpose: Purpose, code: string): Promise<boolean> => {
    const hash = ticketOf(purpose)
    const ticket = await tryTicket(db, purpose.kind, hash, clock.now())
    const isRight = (ticket?.attempts ?? 0) <= codeTries && matches(purpose, code, ticket?.data.code)
    return isRight && removeTicket(db, hash)
  }

  /** For the session that asked. Spent when it is right; wrong ones are counted on the account. */
  const check = async (purpose: Purpose, code: string): Promise<boolean> => {
    const hash = ticketOf(purpose)
    const ticket = await findTicket(db, purpose.kind, hash, clock.now())
    const isTheirs = ticket?.sessionHash && purpose.sessionHash?.equals(ticket.sessionHash)
    return Boolean(isTheirs) && matches(purpose, code, ticket?.data.code) && removeTicket(db, hash)
  }

  return { gateway, limit, send, spend, check }
}

export type MessageCodes = ReturnType<typeof createMessageCodes>
