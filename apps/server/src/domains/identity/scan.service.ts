import { AppError, identityErrors } from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { type Account, byId, findAccount } from './account.store.ts'
import type { Sessions } from './session.service.ts'
import { lockOrigin } from './session.store.ts'
import type { SignIn } from './sign-in.service.ts'
import { assignTicket, findTicket, insertTicket, takeTicket } from './ticket.store.ts'
import { hashToken, newToken } from './token.ts'

const validSeconds = 120
/** Every open sign-in page of a school asks for one. */
const starting: RateRule = { name: 'scan', limit: 3000, seconds: 60, by: 'address' }

type Deps = Pick<Services, 'db' | 'clock' | 'rateLimit'> & { readonly sessions: Sessions; readonly signIn: SignIn }

/** One browser shows a code, another one that is signed in already lets it in. */
export const createScanSignIn = ({ db, clock, rateLimit, sessions, signIn }: Deps) => {
  /** Two secrets: the ticket stays in the waiting browser, the code is there for everybody to photograph. */
  const start = async (on: Db, caller: Caller) => {
    await rateLimit.take(starting, networkOf(caller.ip))
    const ticket = newToken()
    const code = newToken()
    const expiresAt = addSeconds(clock.now(), validSeconds)
    await insertTicket(on, { kind: 'scan', hash: hashToken(ticket), expiresAt })
    const data = { ticket: hashToken(ticket).toString('base64') }
    await insertTicket(on, { kind: 'scanCode', hash: hashToken(code), expiresAt, data })
    return { ticket, url: `${caller.origin}/login/scan?code=${code}` }
  }

  const confirm = async (on: Db, actor: Actor, code: string) => {
    const now = clock.now()
    const origin = await lockOrigin(on, actor.sessionHash)
    // A chain of browsers would have no end, and nobody could say any more who let whom in.
    if (!origin || origin.scanned) throw new AppError(identityErrors.scannedLetsNobodyIn)
    const scanned = await takeTicket(on, 'scanCode', hashToken(code), now)
    const waiting = Buffer.from(String(scanned?.data.ticket ?? ''), 'base64')
    const owner = { userId: actor.id, sessionHash: actor.sessionHash }
    if (!scanned || !(await assignTicket(on, 'scan', waiting, owner, now)))
      throw new AppError(identityErrors.externalTokenUsed)
    return {}
  }

  /** The browser that shows the code asks until somebody has let it in; then it is let in once. */
  const poll = async (ticket: string, caller: Caller, admitted: (account: Account) => Promise<void>) => {
    const hash = hashToken(ticket)
    const now = clock.now()
    const waiting = await findTicket(db, 'scan', hash, now)
    if (!waiting) return { state: 'expired' as const }
    if (!waiting.userId) return { state: 'waiting' as const }
    const confirmed = await takeTicket(db, 'scan', hash, now)
    const account = confirmed?.userId ? await findAccount(db, byId(confirmed.userId)) : undefined
    const origin = confirmed?.sessionHash
    if (!account || !origin) return { state: 'expired' as const }
    // The other session vouches for its person; no secret was proven, so no counter starts anew.
    const signedIn = await signIn.arrive(account, caller, { provedAll: false }, (tx) =>
      sessions.letIn(tx, account.id, origin, caller),
    )
    if (!signedIn) return { state: 'expired' as const }
    await admitted(account)
    return { state: 'confirmed' as const, ...signedIn }
  }

  return { start, confirm, poll }
}

export type ScanSignIn = ReturnType<typeof createScanSignIn>
