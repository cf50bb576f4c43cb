import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * A text that is asked for from its start, as addresses are: digits between dots have no three letters in a row, so an index
 * of parts does not find them and an ordered one does. In quotation marks it is the whole value.
 */
export const fromItsStart =
  (column: RawBuilder<unknown>) =>
  (asked: string): RawBuilder<SqlBool> => {
    const whole = /^"(.*)"$/s.exec(asked)?.[1]
    if (whole !== undefined) return sql`${column} = ${whole}`
    return asked === '' ? sql`true` : sql`${column} like ${`${asked.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`
  }
