import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { textCondition } from '../kinds.ts'

/**
 * A part of a text that many rows share, as versions are: its different values are compared instead of every row.
 * `values` is a function of the database that walks them along their index, for all enterprises at once. Trigrams do not
 * find `1.7.0`, which has no three letters in a row.
 */
export const partOfFewValues =
  (values: RawBuilder<unknown>, target: RawBuilder<unknown>) =>
  (part: string): RawBuilder<SqlBool> =>
    part === ''
      ? sql`true`
      : sql`${target} = any(array(select value from ${values} value where ${textCondition(sql`value`, part)}))`
