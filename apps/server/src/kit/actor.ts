import type { Fence } from '../platform/fence.ts'

/** One role of a person: what it allows, and where. The two are never mixed with another role's (behaviour: roles.pairs). */
export interface Grant {
  readonly permissions: ReadonlySet<string> | 'all'
  /** Roots of the department subtrees it reaches, as ltree paths. */
  readonly paths: readonly string[]
}

/** Who is calling, resolved once per request. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly realName: string
  readonly type: number
  readonly department: Place
  readonly grants: readonly Grant[]
  /** The organisation entered instead of one's own; narrows every scope, never widens one. */
  readonly operating: Place | null
  readonly sessionHash: Buffer
  readonly originHash: Buffer
  readonly passwordExpired: boolean
}

export interface Place {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly path: string
}

/** Which rows a call may touch. A store cannot be called without one. */
export interface Scope {
  readonly paths: readonly string[]
  /** Covers the whole installation, so no row needs to be asked for its department. */
  readonly everything: boolean
  readonly actorId: number
  /** Where new rows go when a form leaves it open. */
  readonly departmentId: number
  /** What the same person reaches by another permission; absent where nobody in particular asks. */
  readonly by?: (perm: string) => Scope | null
}

export const isUnder = (path: string, ancestor: string) => path === ancestor || path.startsWith(`${ancestor}.`)
const isRoot = (path: string) => !path.includes('.')

const outermost = (paths: readonly string[]) => {
  const unique = [...new Set(paths)]
  return unique.filter((path) => !unique.some((other) => other !== path && isUnder(path, other)))
}

const narrow = (paths: readonly string[], to: string) =>
  paths.flatMap((path) => (isUnder(to, path) ? [to] : isUnder(path, to) ? [path] : []))

const allows = (grant: Grant, perm: string) =>
  perm === 'signedIn' || grant.permissions === 'all' || grant.permissions.has(perm)

const granted = (actor: Actor, perm: string) =>
  outermost(actor.grants.filter((grant) => allows(grant, perm)).flatMap((grant) => grant.paths))

/** The departments on which one single role grants this permission; null when none does. */
export const scopeFor = (actor: Actor, perm: string): Scope | null => {
  const all = granted(actor, perm)
  const paths = actor.operating ? outermost(narrow(all, actor.operating.path)) : all
  if (paths.length === 0) return null
  return {
    paths,
    everything: paths.some(isRoot),
    actorId: actor.id,
    departmentId: (actor.operating ?? actor.department).id,
    by: (other) => scopeFor(actor, other),
  }
}

/** Rows of the installation itself: the permission must reach its root, whichever organisation is entered. */
export const platformScopeFor = (actor: Actor, perm: string): Scope | null => {
  const paths = granted(actor, perm)
  if (!paths.some(isRoot)) return null
  return { paths, everything: true, actorId: actor.id, departmentId: actor.department.id }
}

/** A caller's own rows; no department is involved. */
export const selfScope = (actor: Actor): Scope => ({
  paths: [],
  everything: false,
  actorId: actor.id,
  departmentId: (actor.operating ?? actor.department).id,
})

export const covers = (scope: Scope, path: string) =>
  scope.everything || scope.paths.some((root) => isUnder(path, root))

/** What the database itself shows somebody: all that any of their roles reaches. None for who reaches everything. */
export const fenceOf = ({ id, department, grants }: Pick<Actor, 'id' | 'department' | 'grants'>): Fence | undefined => {
  const paths = outermost(grants.flatMap((grant) => grant.paths))
  return paths.some(isRoot) ? undefined : { paths, home: department.id, person: id }
}
