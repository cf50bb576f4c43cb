import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** How long before its end a licence is shown as expiring (behaviour: devices.licence-ends). */
const warningDays = 30

/** Whether the licence row with that alias stands in one of these states, asked in the columns' own words: an index on its end finds it. */
export const isInState = (row: string, states: readonly string[]): RawBuilder<SqlBool> => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  const lasts = sql`not ${of('revoked')} and ${of('enabled')}`
  const warned = sql`current_date + ${sql.lit(warningDays)}`
  const conditions: Readonly<Record<string, RawBuilder<unknown>>> = {
    revoked: sql`${of('revoked')}`,
    disabled: sql`not ${of('revoked')} and not ${of('enabled')}`,
    expired: sql`${lasts} and ${of('expiry')} < current_date`,
    expiring: sql`${lasts} and ${of('expiry')} >= current_date and ${of('expiry')} < ${warned}`,
    active: sql`${lasts} and ${of('expiry')} >= ${warned}`,
  }
  const asked = states.flatMap((state) => (conditions[state] ? [sql`(${conditions[state]})`] : []))
  return asked.length === 0 ? sql`false` : sql`(${sql.join(asked, sql` or `)})`
}

/** State of the licence row with that alias. Never stored: the day decides. */
export const licenceState = (row: string) => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql<string>`case when ${of('revoked')} then 'revoked' when not ${of('enabled')} then 'disabled'
    when ${of('expiry')} < current_date then 'expired'
    when ${of('expiry')} < current_date + ${sql.lit(warningDays)} then 'expiring' else 'active' end`
}
