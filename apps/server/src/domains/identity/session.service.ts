import { AppError, commonErrors, identityErrors, type OwnSession, type SignedIn } from '@campanile/contract'
import { type Actor, covers, scopeFor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { accessChannel } from '../../platform/live.ts'
import type { Services } from '../../services.ts'
import { findPlace } from './place.store.ts'
import { expiryOf } from './session.expiry.ts'
import {
  endSession,
  endSessionsOf,
  findBrowsers,
  findSession,
  insertSession,
  lockOrigin,
  type Origin,
  touchSession,
} from './session.store.ts'
import { readSessionUser } from './session-user.store.ts'
import { hashToken, newToken } from './token.ts'

export const createSessions = ({ clock, settings, signals }: Pick<Services, 'clock' | 'settings' | 'signals'>) => {
  const describe = async (db: Db, userId: number, operatingId: number | null) =>
    readSessionUser(db, userId, operatingId, { now: clock.now(), maxAgeDays: await settings.get('passwordMaxAgeDays') })

  /** A new token for somebody who has proved who they are. One that takes the place of another is as old as that. */
  const open = async (db: Db, userId: number, caller: Caller, signedInAt = clock.now()): Promise<SignedIn> => {
    const token = newToken()
    await insertSession(db, {
      tokenHash: hashToken(token),
      userId,
      originHash: null,
      operatingDepartmentId: null,
      scanned: false,
      ip: caller.ip,
      userAgent: caller.userAgent,
      signedInAt,
      now: clock.now(),
    })
    return { token, user: await describe(db, userId, null) }
  }

  /** A second token that ends with the one it was made from, is as old, and reaches no further. */
  const derive = async (
    db: Db,
    from: { readonly userId: number; readonly originHash: Buffer; readonly origin: Origin },
    made: { readonly operatingDepartmentId: number | null; readonly scanned: boolean },
    caller: Caller,
  ): Promise<SignedIn> => {
    const token = newToken()
    const now = clock.now()
    await insertSession(db, {
      tokenHash: hashToken(token),
      userId: from.userId,
      originHash: from.originHash,
      ...made,
      ip: caller.ip,
      userAgent: caller.userAgent,
      signedInAt: new Date(from.origin.signedInAt),
      now,
    })
    await touchSession(db, from.originHash, now)
    return { token, user: await describe(db, from.userId, made.operatingDepartmentId) }
  }

  /** A token that operates on one organisation. */
  const enter = async (db: Db, actor: Actor, departmentId: number, caller: Caller): Promise<SignedIn> => {
    const scope = scopeFor(actor, 'signedIn')
    const place = await findPlace(db, departmentId)
    // What lies outside and what does not exist look the same.
    if (actor.operating || !scope || !place || !covers(scope, place.path)) throw new AppError(commonErrors.noPermission)
    const origin = await lockOrigin(db, actor.sessionHash)
    if (!origin) throw new AppError(commonErrors.sessionEnded)
    const from = { userId: actor.id, originHash: actor.sessionHash, origin }
    return derive(db, from, { operatingDepartmentId: place.id, scanned: false }, caller)
  }

  /** A token for another browser of the same person; undefined when the session that let it in is over. */
  const letIn = async (db: Db, userId: number, originHash: Buffer, caller: Caller): Promise<SignedIn | undefined> => {
    const origin = await lockOrigin(db, originHash)
    if (!origin || origin.scanned) return undefined
    const { operatingDepartmentId } = origin
    return derive(db, { userId, originHash, origin }, { operatingDepartmentId, scanned: true }, caller)
  }

  /** The token of somebody who changed their password: all their sessions end, and this one takes the place of the caller's. */
  const replace = async (db: Db, actor: Actor, caller: Caller): Promise<SignedIn> => {
    const session = await lockOrigin(db, actor.sessionHash)
    if (!session) throw new AppError(commonErrors.sessionEnded)
    await endSessionsOf(db, [actor.id], clock.now())
    return open(db, actor.id, caller, new Date(session.signedInAt))
  }

  const refresh = async (db: Db, actor: Actor) => {
    await touchSession(db, actor.sessionHash, clock.now())
    const session = await findSession(db, actor.sessionHash)
    if (!session || session.ended) throw new AppError(commonErrors.sessionEnded)
    const expiresAt = expiryOf(session, await settings.all()).toISOString()
    return { expiresAt, user: await describe(db, actor.id, actor.operating?.id ?? null) }
  }

  const browsersOf = async (db: Db, actor: Actor) => {
    const times = await settings.all()
    const now = clock.now()
    return (await findBrowsers(db, actor.id))
      .filter((browser) => expiryOf(browser, times) > now)
      .map((browser) => ({ ...browser, current: browser.tokenHash.equals(actor.originHash) }))
  }

  return {
    open,
    enter,
    /** Where somebody is signed in now: the one that asks first, then those seen most recently. */
    own: async (db: Db, actor: Actor): Promise<OwnSession[]> =>
      (await browsersOf(db, actor))
        .map(({ tokenHash: _, ...told }) => told)
        .sort((a, b) => Number(b.current) - Number(a.current)),
    /** Ends another one of one's own; answers what it was. */
    endOwn: async (db: Db, actor: Actor, id: string): Promise<OwnSession> => {
      const browser = (await browsersOf(db, actor)).find((each) => each.id === id)
      if (!browser) throw new AppError(commonErrors.resourceNotFound)
      if (browser.current) throw new AppError(identityErrors.sessionInUse)
      await endSession(db, browser.tokenHash, clock.now())
      // Its live connection hears of it now, not when sessions are looked at next.
      await signals.send(db, accessChannel, String(actor.id))
      return browser
    },
    letIn,
    replace,
    refresh,
    describe,
    end: (db: Db, actor: Actor) => endSession(db, actor.originHash, clock.now()),
  }
}

export type Sessions = ReturnType<typeof createSessions>
