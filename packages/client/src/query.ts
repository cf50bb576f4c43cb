type Scalar = string | number | boolean | null | undefined
export type Query = Record<string, Scalar | readonly Scalar[]>

const isPresent = (value: Scalar): value is string | number | boolean => value !== undefined && value !== null

/** Arrays repeat their name without indices (`ids=1&ids=2`); absent values are left out. */
export function toQueryString(query: Query | undefined): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    const values: readonly Scalar[] = Array.isArray(value) ? value : [value as Scalar]
    for (const each of values) if (isPresent(each)) params.append(name, String(each))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
