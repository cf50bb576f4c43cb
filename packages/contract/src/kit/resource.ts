import type { z } from 'zod'
import type { ErrorSpec } from './errors.ts'
import type { Field, PageOfRow } from './field.ts'
import type { Machine } from './machine.ts'
import type { Module } from './module.ts'

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

/**
 * What an action works on.
 * row: one, by `id` · rows: those that were chosen, by `ids` · matching: those, or everything the list's filters match less
 * what was unticked · list: no row, the list itself
 */
export type On = 'row' | 'rows' | 'matching' | 'list'

/** What people do with rows beside adding, changing and removing them. States change this way and no other. */
export interface Action<O extends On = On, F extends Fields = Fields, A extends z.ZodType = z.ZodType> {
  readonly on: O
  readonly perm: Perm
  /** What it asks for. */
  readonly fields?: F
  /** The state it leads to, and from which ones; the server refuses what does not stand in one of these. */
  readonly moves?: Move
  readonly answer: A
  /** Sent with the person's own token, whichever organisation is entered: it passes from one to another. */
  readonly origin?: true
  /** It cannot be undone: the console asks before it runs. */
  readonly destroys?: boolean
  /** Codes it may answer beside the general ones; documented and mapped to fields by the console. */
  readonly errors?: readonly number[]
}

/** One transition of a machine, and the field that holds the state. */
export interface Move {
  readonly machine: Machine<string | number, string>
  readonly event: string
  readonly field: string
  /** Answered when a row stands elsewhere. */
  readonly refusal?: ErrorSpec
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
  /** Answered where a page cannot be asked for, instead of the code of all lists. */
  readonly pageCode?: number
  /** A field by which rows may be deleted instead of by their ids. */
  readonly removeBy?: string
}

export interface ListSpec<N extends string> {
  readonly columns: readonly N[]
  /** Columns a newcomer does not see until they choose them. */
  readonly hidden?: readonly N[]
  /** What a phone's card says under the name, where that is not simply what the first columns say. */
  readonly card?: readonly N[]
  readonly filters: readonly N[]
  /** What one box looks through: a row is found when any of these texts holds what was typed (`search` of the query). */
  readonly search?: readonly N[]
  /** `field` ascending or `-field` descending. */
  readonly sort: N | `-${N}`
  /** Values of a filter that are views nobody has to save, called what the value is called; offered where there are such rows. */
  readonly views?: { readonly [name in N]?: readonly (string | number)[] }
}

/** How the palette finds rows of a resource and what it says of them. Whoever may not list them does not find them. */
export interface PaletteSpec<N extends string> {
  /** Texts a row is found by; what the list's one box looks through, or the identity, unless they are named. */
  readonly by?: readonly N[]
  /** What is said of a row beside its name. */
  readonly tells: readonly N[]
  /** Its page. Without one the list is opened, with this row alone. */
  readonly opens?: PageOfRow
  /** The kind its rows are about and share the text with: whoever looks for that text means that kind first. */
  readonly about?: string
}

/** Kinds as the palette shows them: those others are about, all others, and what is only about another. */
export const inFoundOrder = <R extends Pick<Resource, 'name' | 'palette'>>(kinds: readonly R[]): R[] => {
  const meant = new Set(kinds.map(({ palette }) => palette?.about))
  const rank = ({ name, palette }: R) => (palette?.about !== undefined ? 2 : meant.has(name) ? 0 : 1)
  return kinds.toSorted((a, b) => rank(a) - rank(b))
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
  /** Beginnings of permissions of pages that are reached from here: they are given with the buttons of this one. */
  readonly also?: readonly string[]
  /** Absent for what every organisation uses. */
  readonly module?: Module
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
  /** What rows that refer to it show of it. */
  readonly label: string
  readonly list: ListSpec<string>
  readonly form: Readonly<Record<string, readonly string[]>>
  readonly perms: V
  readonly scope: ScopeKind
  readonly actions: A
  /** Absent where the menu names the screen itself: several screens, or a place between others. */
  readonly menu?: MenuPlace
  /** Absent where the palette does not find its rows. */
  readonly palette?: PaletteSpec<string>
  /** Reading rows of it leaves a line in the operation log. */
  readonly personal: boolean
}

export interface ResourceSpec<F extends Fields, A extends Readonly<Record<string, Action>>, V extends Verbs> {
  readonly name: string
  readonly wire: Pick<Wire, 'path'> & Partial<Wire>
  readonly fields: F
  readonly identity?: Name<F>
  /** The identity, unless people call it by another field. */
  readonly label?: Name<F>
  readonly list: ListSpec<Name<F>>
  readonly form?: Readonly<Record<string, readonly Name<F>[]>>
  readonly perms: V
  readonly scope: ScopeKind
  readonly menu?: MenuPlace
  readonly palette?: PaletteSpec<Name<F>>
  readonly actions?: A
}

/** One declaration of a kind of row. Routes, checks, queries, exports, tables, forms and labels are derived from it. */
export const defineResource = <
  const F extends Fields,
  const V extends Verbs,
  const A extends Readonly<Record<string, Action>> = Record<never, Action>,
>(
  spec: ResourceSpec<F, A, V>,
): Resource<F, A, V> => {
  const identity = spec.identity ?? spec.list.columns[0] ?? 'id'
  return {
    ...spec,
    wire: { listKey: 'rows', idsKey: 'ids', pageSize: 10, ...spec.wire },
    identity,
    label: spec.label ?? identity,
    form: spec.form ?? {},
    actions: spec.actions ?? ({} as A),
    personal: Object.values(spec.fields).some((field) => field.personal),
  }
}

/** The texts the palette finds a row by. */
export const foundBy = ({ palette, list, identity }: Pick<Resource, 'palette' | 'list' | 'identity'>) =>
  palette?.by ?? list.search ?? [identity]

/** Where people find the name of one of a field's options. */
export const optionKey = (
  { name, fields }: Pick<Resource, 'name' | 'fields'>,
  field: string,
  option: string | number,
) => fields[field]?.optionText?.(option) ?? `${name}.option.${field}.${option}`

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
/** What fields take; what may be left out is absent, never empty. */
export type FieldValues<F extends Fields> = { [K in NeededKeys<F>]: Value<F[K]> } & {
  [K in Exclude<keyof F, NeededKeys<F>>]?: NonNullable<Value<F[K]>> | undefined
}
/** Chosen rows, or everything that matches. */
export interface Chosen {
  ids?: number[] | undefined
  filters?: Readonly<Record<string, unknown>> | undefined
  except?: number[] | undefined
}
type Subject<O extends On> = O extends 'row'
  ? { id: number }
  : O extends 'rows'
    ? { ids: number[] }
    : O extends 'matching'
      ? Chosen
      : unknown
type Asked<A extends Action> = A['fields'] extends Fields ? FieldValues<A['fields']> : unknown
/** What a caller sends. */
export type ActionInput<R extends Resource, K extends keyof R['actions']> = Subject<R['actions'][K]['on']> &
  Asked<R['actions'][K]>
/** What its function gets: "everything that matches" has become ids. */
export type ActionCall<R extends Resource, K extends keyof R['actions']> = Subject<
  R['actions'][K]['on'] extends 'matching' ? 'rows' : R['actions'][K]['on']
> &
  Asked<R['actions'][K]>
export type ActionAnswer<R extends Resource, K extends keyof R['actions']> = z.output<R['actions'][K]['answer']>
