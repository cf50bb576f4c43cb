/** One value an operation touched. `path` leads to it: a field, then what lies inside it (a language, a position). */
export interface Change {
  path: readonly string[]
  before: unknown
  after: unknown
  changed: boolean
}

type Tree = Readonly<Record<string, unknown>>
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** What was and what became of it, value by value. A value missing on one side was not there: `undefined`. */
export const changesOf = (before: unknown, after: unknown, path: readonly string[] = []): Change[] => {
  if (!isTree(before) && !isTree(after)) {
    const nothing = (before ?? null) === null && (after ?? null) === null
    return path.length === 0 && nothing ? [] : [{ path, before, after, changed: !same(before, after) }]
  }
  const was = isTree(before) ? before : {}
  const is = isTree(after) ? after : {}
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    changesOf(was[name], is[name], [...path, name]),
  )
}

/** Which sides there is anything to say about: creating has no before, deleting no after. */
export const sidesOf = (before: unknown, after: unknown): ('before' | 'after')[] => [
  ...((before ?? null) === null ? [] : ['before' as const]),
  ...((after ?? null) === null ? [] : ['after' as const]),
]
