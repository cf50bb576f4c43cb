import { AppError, gatewayErrors, type SignedIn } from '@campanile/contract'
import { type Actor, covers, scopeFor } from '../../kit/actor.ts'
import type { Caller } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { findPlace } from './place.store.ts'
import { expiryOf } from './session.expiry.ts'
import { endSession, findSession, insertSession, touchSession } from './session.store.ts'
import { readSessionUser } from './session-user.store.ts'
import { hashToken, newToken } from './token.ts'

export const createSessions = ({ clock, settings }: Pick<Services, 'clock' | 'settings'>) => {
  const describe = async (db: Db, userId: number, operatingId: number | null) =>
    readSessionUser(db, userId, operatingId, { now: clock.now(), maxAgeDays: await settings.get('passwordMaxAgeDays') })

  /** A new token for somebody who has proved who they are. */
  const open = async (db: Db, userId: number, caller: Caller): Promise<SignedIn> => {
    const token = newToken()
    const now = clock.now()
    await insertSession(db, {
      tokenHash: hashToken(token),
      userId,
      originHash: null,
      operatingDepartmentId: null,
      ip: caller.ip,
      userAgent: caller.userAgent,
      signedInAt: now,
      now,
    })
    return { token, user: await describe(db, userId, null) }
  }

  /** readings 124: a second token that operates on one organisation and dies with the first. */
  const enter = async (db: Db, actor: Actor, departmentId: number, caller: Caller): Promise<SignedIn> => {
    const scope = scopeFor(actor, 'signedIn')
    const place = await findPlace(db, departmentId)
    // What lies outside and what does not exist look the same.
    if (actor.operating || !scope || !place || !covers(scope, place.path))
      throw new AppError(gatewayErrors.noPermission)
    const origin = await findSession(db, actor.sessionHash)
    if (!origin || origin.ended) throw new AppError(gatewayErrors.sessionEnded)
    const token = newToken()
    await insertSession(db, {
      tokenHash: hashToken(token),
      userId: actor.id,
      originHash: actor.sessionHash,
      operatingDepartmentId: place.id,
      ip: caller.ip,
      userAgent: caller.userAgent,
      signedInAt: new Date(origin.signedInAt),
      now: clock.now(),
    })
    return { token, user: await describe(db, actor.id, place.id) }
  }

  const refresh = async (db: Db, actor: Actor) => {
    await touchSession(db, actor.sessionHash, actor.originHash, clock.now())
    const session = await findSession(db, actor.sessionHash)
    if (!session || session.ended) throw new AppError(gatewayErrors.sessionEnded)
    const expiresAt = expiryOf(session, await settings.all()).toISOString()
    return { expiresAt, user: await describe(db, actor.id, actor.operating?.id ?? null) }
  }

  return {
    open,
    enter,
    refresh,
    describe,
    end: (db: Db, actor: Actor) => endSession(db, actor.originHash, clock.now()),
  }
}

export type Sessions = ReturnType<typeof createSessions>
