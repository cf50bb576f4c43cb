import {
  AppError,
  type ConfigValues,
  commonErrors,
  identityErrors,
  organisationType,
  signSecret,
  userType,
  withImplied,
} from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor, Grant } from '../../kit/actor.ts'
import { callerOf } from '../../kit/caller.ts'
import type { RouteRules } from '../../kit/rules.ts'
import type { Services } from '../../services.ts'
import { isAllowedFrom, isWithinValidity, passwordAgeDays } from './account.ts'
import { expiryOf } from './session.expiry.ts'
import { findSession, type SessionRow, touchSession } from './session.store.ts'
import { hashToken, isToken } from './token.ts'

/** Writing "was here" on every request would cost more than the request. */
const touchEveryMs = 10_000

/** What somebody holds on their own department by being who they are; null where only roles count. */
const ownPermissions = (
  { type, department, owned }: Pick<SessionRow, 'type' | 'department' | 'owned'>,
  settings: Pick<ConfigValues, 'signSecret'>,
): readonly string[] | 'all' | null => {
  if (type === userType.super) return department.root ? 'all' : (owned ?? [])
  const keepsSigningKeys = type === userType.safetyOfficer && department.type === organisationType.si
  return keepsSigningKeys && settings.signSecret ? signSecret.permissions : null
}

/** Pairwise, one grant a role (behaviour: roles.pairs). A super administrator's own grant is their enterprise, whatever roles they hold. */
export const grantsOf = (
  row: Pick<SessionRow, 'type' | 'department' | 'roles' | 'owned'>,
  settings: Pick<ConfigValues, 'signSecret'>,
): Grant[] => {
  const held = (permissions: readonly string[]) => new Set(withImplied(permissions))
  const roles = row.roles.map(({ permissions, paths }) => ({ permissions: held(permissions), paths }))
  const own = ownPermissions(row, settings)
  return own ? [{ permissions: own === 'all' ? own : held(own), paths: [row.department.path] }, ...roles] : roles
}

const tokenOf = (request: FastifyRequest): string => {
  const token = request.headers.sessionid
  if (token === undefined || token === '') throw new AppError(commonErrors.accessTokenMissing)
  if (typeof token !== 'string' || !isToken(token)) throw new AppError(commonErrors.tokenVerificationFailed)
  return token
}

/** Who calls. Asked on every request, so whatever ended or narrowed the session holds at once. */
export const createAuthenticate =
  ({ db, clock, settings }: Pick<Services, 'db' | 'clock' | 'settings'>) =>
  async (request: FastifyRequest, rules: Pick<RouteRules, 'whileExpired'>): Promise<Actor> => {
    const sessionHash = hashToken(tokenOf(request))
    const row = await findSession(db, sessionHash)
    if (!row) throw new AppError(commonErrors.tokenVerificationFailed)
    const now = clock.now()
    const { ip } = callerOf(request)
    const values = await settings.all()
    const { passwordMaxAgeDays } = values
    if (row.ended || expiryOf(row, values) <= now || row.disabled || !isWithinValidity(row, now))
      throw new AppError(commonErrors.sessionEnded)
    if (!isAllowedFrom(row, ip)) throw new AppError(identityErrors.ipNotAllowed, { ip })
    const passwordExpired = passwordAgeDays(row.passwordChangedAt, now) >= passwordMaxAgeDays
    if (passwordExpired && !rules.whileExpired)
      throw new AppError(identityErrors.passwordExpired, { days: passwordMaxAgeDays })
    if (now.getTime() - Date.parse(row.lastSeen) >= touchEveryMs) await touchSession(db, sessionHash, now)
    return {
      id: row.id,
      username: row.username,
      realName: row.realName,
      type: row.type,
      department: row.department,
      grants: grantsOf(row, values),
      operating: row.operating,
      sessionHash,
      originHash: row.originHash,
      passwordExpired,
    }
  }
