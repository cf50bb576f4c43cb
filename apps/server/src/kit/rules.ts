import { AppError, commonErrors, type Perm, type ScopeKind } from '@campanile/contract'
import { type Actor, platformScopeFor, type Scope, scopeFor, selfScope } from './actor.ts'

/** What every route declares. A route without all of it does not start: see `app.ts`. */
export interface RouteRules {
  readonly perm: Perm
  readonly scope: ScopeKind
  readonly module: string
  /** What the operation log calls it; `null` leaves no line. */
  readonly logged: string | null
  /** Of those of one account few are under way at once: see `heavy.ts`. */
  readonly heavy?: boolean | undefined
  /** Answered although the caller's password is too old. */
  readonly whileExpired?: boolean | undefined
}

/** The rows an actor may touch through a route; nothing when there are none. */
export const findScope = (rules: RouteRules, actor: Actor): Scope | null => {
  const scope =
    rules.scope === 'self' || rules.scope === 'public'
      ? scopeFor(actor, rules.perm) && selfScope(actor)
      : rules.scope === 'platform'
        ? platformScopeFor(actor, rules.perm)
        : scopeFor(actor, rules.perm)
  // Somebody without any role still owns their own profile, password and log-out.
  return scope ?? (rules.perm === 'signedIn' ? selfScope(actor) : null)
}
/** The same, and refuses when there are none. */
export const scopeOf = (rules: RouteRules, actor: Actor): Scope => {
  const scope = findScope(rules, actor)
  if (scope) return scope
  throw new AppError(commonErrors.noPermission, { permission: rules.perm })
}
