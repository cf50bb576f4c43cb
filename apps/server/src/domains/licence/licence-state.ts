import { sql } from 'kysely'

/** How long before its end a licence is shown as expiring (behaviour: devices.licence-ends). */
const warningDays = 30

/** State of the licence row with that alias. Never stored: the day decides. */
export const licenceState = (row: string) => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql<string>`case when ${of('revoked')} then 'revoked' when not ${of('enabled')} then 'disabled'
    when ${of('expiry')} < current_date then 'expired'
    when ${of('expiry')} < current_date + ${sql.lit(warningDays)} then 'expiring' else 'active' end`
}
