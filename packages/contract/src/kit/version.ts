/** The numbers of a version. What follows a hyphen or a plus, as in `3.2.0-rc1`, has no place in the order. */
const numbersOf = (version: string): readonly bigint[] =>
  (version.replace(/[-+].*/s, '').match(/\d+/g) ?? []).map((digits) => BigInt(digits))

/**
 * Below 0 where the first version comes before the second, 0 where they are the same in order, above 0 otherwise: 3.10 comes
 * after 3.9, and 3.2.0 after 3.2. Nothing where one of them has no number. Lists are filtered by the same order in SQL.
 */
export function compareVersions(first: string, second: string): number | undefined {
  const [one, two] = [numbersOf(first), numbersOf(second)]
  if (one.length === 0 || two.length === 0) return undefined
  for (const [index, number] of one.entries()) {
    const other = two[index]
    if (other === undefined) return 1
    if (number !== other) return number < other ? -1 : 1
  }
  return one.length - two.length
}
