import { type RawBuilder, type SqlBool, sql } from 'kysely'

type Expression = RawBuilder<unknown>

/** The numbers of a version. What follows a hyphen or a plus, as in `3.2.0-rc1`, has no place in the order. */
const numbersOf = (version: Expression) =>
  sql`(select array_agg(part[1]::numeric order by at) from regexp_matches(regexp_replace(${version}, '[-+].*', ''), '\\d+', 'g')
    with ordinality as parts(part, at))`

/**
 * Versions from one on, or below one, by their numbers: 3.10 comes after 3.9. Where `few` lists the different versions there
 * are, those are compared instead of every row.
 */
export const versionOrder = (
  few: Expression | undefined,
  target: Expression,
  operator: Expression,
  wanted: unknown,
): RawBuilder<SqlBool> => {
  const fits = (version: Expression) =>
    sql<SqlBool>`${numbersOf(version)} ${operator} ${numbersOf(sql`${wanted}::text`)}`
  return few ? sql`${target} = any(array(select value from ${few} value where ${fits(sql`value`)}))` : fits(target)
}
