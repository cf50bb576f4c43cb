/** PostgreSQL keeps neither a NUL nor half of a pair of surrogates; both come as escapes that look like any other text. */
const storable = (text: string) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd')

/**
 * The text of a value for a `jsonb` column, whoever wrote the value. It is cleaned value by value and name by name: in
 * the finished text `\\u0000` is somebody's backslash and four noughts as often as it is a NUL.
 */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, each: unknown) => {
    if (typeof each === 'string') return storable(each)
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    const names = Object.keys(each)
    return names.every((name) => storable(name) === name)
      ? each
      : Object.fromEntries(Object.entries(each).map(([name, inner]) => [storable(name), inner]))
  })
