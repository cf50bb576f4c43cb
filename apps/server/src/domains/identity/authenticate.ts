import { AppError, alwaysGranted, gatewayErrors, identityErrors } from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor, Grant } from '../../kit/actor.ts'
import { callerOf } from '../../kit/caller.ts'
import type { RouteRules } from '../../kit/route.ts'
import type { Services } from '../../services.ts'
import { isAllowedFrom, isWithinValidity, passwordAgeDays } from './account.ts'
import { expiryOf } from './session.expiry.ts'
import { findSession, type SessionRow, touchSession } from './session.store.ts'
import { hashToken, isToken } from './token.ts'

/** Writing "was here" on every request would cost more than the request. */
const touchEveryMs = 10_000

const userTypeSuper = 0

/** Pairwise, one grant a role (readings 164). A super administrator's own grant is their enterprise, whatever roles they hold. */
export const grantsOf = (row: Pick<SessionRow, 'type' | 'department' | 'roles' | 'owned'>): Grant[] => {
  const held = (permissions: readonly string[]) => new Set([...permissions, ...alwaysGranted])
  const roles = row.roles.map(({ permissions, paths }) => ({ permissions: held(permissions), paths }))
  if (row.type !== userTypeSuper) return roles
  const owned = row.department.root ? 'all' : held(row.owned ?? [])
  return [{ permissions: owned, paths: [row.department.path] }, ...roles]
}

const tokenOf = (request: FastifyRequest): string => {
  const token = request.headers.sessionid
  if (token === undefined || token === '') throw new AppError(gatewayErrors.accessTokenMissing)
  if (typeof token !== 'string' || !isToken(token)) throw new AppError(gatewayErrors.tokenVerificationFailed)
  return token
}

/** Who calls. Asked on every request, so whatever ended or narrowed the session holds at once. */
export const createAuthenticate =
  ({ db, clock, settings }: Pick<Services, 'db' | 'clock' | 'settings'>) =>
  async (request: FastifyRequest, rules: Pick<RouteRules, 'whileExpired'>): Promise<Actor> => {
    const sessionHash = hashToken(tokenOf(request))
    const row = await findSession(db, sessionHash)
    if (!row) throw new AppError(gatewayErrors.tokenVerificationFailed)
    const now = clock.now()
    const { ip } = callerOf(request)
    const { passwordMaxAgeDays, ...times } = await settings.all()
    if (row.ended || expiryOf(row, times) <= now || row.disabled || !isWithinValidity(row, now))
      throw new AppError(gatewayErrors.sessionEnded)
    if (!isAllowedFrom(row, ip)) throw new AppError(identityErrors.ipNotAllowed, { ip })
    const passwordExpired = passwordAgeDays(row.passwordChangedAt, now) >= passwordMaxAgeDays
    if (passwordExpired && !rules.whileExpired)
      throw new AppError(identityErrors.passwordExpired, { days: passwordMaxAgeDays })
    if (now.getTime() - Date.parse(row.lastSeen) >= touchEveryMs)
      await touchSession(db, sessionHash, row.originHash, now)
    return {
      id: row.id,
      username: row.username,
      realName: row.realName,
      type: row.type,
      department: row.department,
      grants: grantsOf(row),
      operating: row.operating,
      sessionHash,
      originHash: row.originHash,
      passwordExpired,
    }
  }
