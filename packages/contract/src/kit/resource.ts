import type { z } from 'zod'
import type { Field } from './field.ts'

export type Fields = Readonly<Record<string, Field>>
type Name<F extends Fields> = keyof F & string

/** Who a route is for: anybody, anybody signed in, or holders of one permission string (`module:page:verb`). */
export type Perm = 'public' | 'signedIn' | (string & {})

/**
 * Which rows a call may touch.
 * organisation: rows of departments the permission's roles cover · self: the caller's own rows ·
 * platform: rows of the whole installation, written by its own administrators only · public: nothing protected
 */
export type ScopeKind = 'organisation' | 'self' | 'platform' | 'public'

export interface Action<I extends z.ZodType = z.ZodType> {
  readonly input: I
  readonly perm: Perm
  readonly method?: 'POST' | 'PUT' | 'GET' | 'DELETE'
  /** Codes it may answer beside the general ones; documented and mapped to fields by the console. */
  readonly errors?: readonly number[]
}

export interface Verbs {
  readonly list?: Perm
  readonly create?: Perm
  readonly update?: Perm
  readonly remove?: Perm
  readonly export?: Perm
  readonly import?: Perm
}
export type Verb = keyof Verbs

export interface Wire {
  readonly path: string
  /** Key of the rows in the answer to `list`. */
  readonly listKey: string
  /** Key of the ids a delete sends. */
  readonly idsKey: string
  readonly pageSize: number
}

export interface ListSpec<N extends string> {
  readonly columns: readonly N[]
  /** Columns a newcomer does not see until they choose them. */
  readonly hidden?: readonly N[]
  /** What a phone's card says under the name, where that is not simply what the first columns say. */
  readonly card?: readonly N[]
  readonly filters: readonly N[]
  /** `field` ascending or `-field` descending. */
  readonly sort: N | `-${N}`
}

/** Where the list of a resource stands in the menu of a new installation. */
export interface MenuPlace {
  /** Never changes: by it a later version finds the entry again. */
  readonly key: string
  /** Key of the directory, see `navigation.ts`. */
  readonly under: string
  readonly url: string
  /** One of the console's, see `shell/icons.tsx`. */
  readonly icon: string
}

export interface Resource<
  F extends Fields = Fields,
  A extends Readonly<Record<string, Action>> = Readonly<Record<string, Action>>,
  V extends Verbs = Verbs,
> {
  readonly name: string
  readonly wire: Wire
  readonly fields: F
  /** The column that names a row: first, linked, used in confirmations. */
  readonly identity: string
  readonly list: ListSpec<string>
  readonly form: Readonly<Record<string, readonly string[]>>
  readonly perms: V
  readonly scope: ScopeKind
  readonly actions: A
  /** Absent where the menu names the screen itself: several screens, or a place between others. */
  readonly menu?: MenuPlace
  /** Reading rows of it leaves a line in the operation log. */
  readonly personal: boolean
}

export interface ResourceSpec<F extends Fields, A extends Readonly<Record<string, Action>>, V extends Verbs> {
  readonly name: string
  readonly wire: Pick<Wire, 'path'> & Partial<Wire>
  readonly fields: F
  readonly identity?: Name<F>
  readonly list: ListSpec<Name<F>>
  readonly form?: Readonly<Record<string, readonly Name<F>[]>>
  readonly perms: V
  readonly scope: ScopeKind
  readonly menu?: MenuPlace
  readonly actions?: A
}

/** One declaration of a kind of row. Routes, checks, queries, exports, tables, forms and labels are derived from it. */
export const defineResource = <
  const F extends Fields,
  const V extends Verbs,
  const A extends Readonly<Record<string, Action>> = Record<never, Action>,
>(
  spec: ResourceSpec<F, A, V>,
): Resource<F, A, V> => ({
  ...spec,
  wire: { listKey: 'rows', idsKey: 'ids', pageSize: 10, ...spec.wire },
  identity: spec.identity ?? spec.list.columns[0] ?? 'id',
  form: spec.form ?? {},
  actions: spec.actions ?? ({} as A),
  personal: Object.values(spec.fields).some((field) => field.personal),
})

type Value<F> = F extends Field<infer T, infer _W, infer R> ? (R extends true ? T : T | null) : never
type Writes<F extends Fields, W> = { [K in keyof F]: F[K]['writable'] extends W ? K : never }[keyof F]
type NeededKeys<F extends Fields> = {
  [K in keyof F]: F[K]['writable'] extends 'never'
    ? never
    : F[K]['required'] extends true
      ? F[K] extends { when: object }
        ? never
        : K
      : never
}[keyof F]

/** A row as the list answers it. Secrets never appear in one. */
export type Row<R extends Resource> = { readonly id: number } & {
  readonly [K in keyof R['fields']]: Value<R['fields'][K]>
}
/** What creating takes. */
export type Draft<R extends Resource> = { [K in NeededKeys<R['fields']>]: Value<R['fields'][K]> } & {
  [K in Exclude<Writes<R['fields'], 'always' | 'once'>, NeededKeys<R['fields']>>]?: Value<R['fields'][K]> | null
}
/** What updating takes: the id and only what changes. */
export type Patch<R extends Resource> = { id: number } & {
  [K in Writes<R['fields'], 'always'>]?: Value<R['fields'][K]> | null
}
export type ActionInput<R extends Resource, K extends keyof R['actions']> = z.input<R['actions'][K]['input']>
