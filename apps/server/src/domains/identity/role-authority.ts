import { userType } from '@campanile/contract'
import { type Actor, covers, scopeFor } from '../../kit/actor.ts'
import type { RoleReach } from './role.store.ts'

/** Whether one single role of the caller grants this permission on the whole subtree below a path. */
export const holdsOn = (actor: Actor, permission: string, path: string): boolean => {
  const scope = scopeFor(actor, permission)
  return scope !== null && covers(scope, path)
}

/** A safety officer hands out the duties they do not hold themselves, and only those (behaviour: people.duties). */
const entrusted = ['operator', 'auditor']

/**
 * Nobody gives, or takes part in the affairs of somebody with, more than they hold themselves: every permission of the
 * role on every subtree it reaches, pair by pair (behaviour: roles.pairs).
 */
export const mayGive = (actor: Actor, role: RoleReach): boolean => {
  if (role.paths.every((path) => role.permissions.every((permission) => holdsOn(actor, permission, path)))) return true
  return (
    actor.type === userType.safetyOfficer &&
    role.preset !== null &&
    entrusted.includes(role.preset) &&
    holdsOn(actor, 'system:user:edit', role.home)
  )
}
