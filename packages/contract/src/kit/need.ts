import type { Resource } from './resource.ts'

/** How soon somebody should look; the most urgent stand on top. */
export const needLevels = ['critical', 'major', 'minor'] as const
export type NeedLevel = (typeof needLevels)[number]

/** Something that waits for a person, as a room declares it. */
interface Declared {
  readonly level: NeedLevel
  /** The kind of rows it counts: who may list them sees it, and its figure is that list's total. */
  readonly rows: Resource
  /** Where in the console these rows stand; `:name` is taken from the filter, the rest of the filter goes behind it. */
  readonly at: string
  /** Another way on, beside looking at the rows: its word, where it leads, and who may take it. */
  readonly action?: { readonly word: string; readonly at: string; readonly perm: string }
  /** A command that all of these rows can be told at once; the rows are devices then. */
  readonly command?: string
}

export interface NeedSpec extends Declared {
  readonly kind: string
  /** The kind of row whose file of texts says it: `need.<kind>.title`, of one and of many, and `need.<kind>.cause`. */
  readonly texts: string
}

/** What of a room waits for a person, by its kinds. Home asks every room that has some. */
export const defineNeeds = <const K extends string>(
  texts: string,
  kinds: Readonly<Record<K, Declared>>,
): Readonly<Record<K, NeedSpec>> =>
  Object.fromEntries(Object.entries<Declared>(kinds).map(([kind, spec]) => [kind, { ...spec, kind, texts }])) as Record<
    K,
    NeedSpec
  >

/** The address of the rows that a filter finds. */
export const placeOf = (at: string, filter: Readonly<Record<string, unknown>>): string => {
  const search = new URLSearchParams()
  let path = at
  for (const [name, value] of Object.entries(filter))
    if (path.includes(`:${name}`)) path = path.replace(`:${name}`, encodeURIComponent(String(value)))
    else for (const each of [value].flat()) search.append(name, String(each))
  return search.size > 0 ? `${path}?${search}` : path
}
