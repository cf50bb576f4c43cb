import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { textCondition } from './table.ts'

/**
 * A part of a text that many rows share, as versions are: its different values are walked along the index they lead, and
 * those are compared instead of every row. Trigrams do not find `1.7.0`, which has no three letters in a row.
 */
export const partOfFewValues = (tableName: string, columnName: string, target: RawBuilder<unknown>) => {
  const column = sql.ref(columnName)
  const next = (after: RawBuilder<unknown>) =>
    sql`select ${column} as value from ${sql.table(tableName)} where ${column} ${after} order by ${column} limit 1`
  const values = sql`with recursive value_of as (
    (${next(sql`is not null`)}) union all
    select (${next(sql`> value_of.value`)}) from value_of where value_of.value is not null
  ) select value from value_of`
  return (part: string): RawBuilder<SqlBool> =>
    part === '' ? sql`true` : sql`${target} = any(array(${values} where ${textCondition(sql`value`, part)}))`
}
