import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

const mark = '/* planned once */'

/**
 * The first word of a statement that is asked again and again with the same text: each connection plans it a few times and
 * then keeps the plan, where planning costs more than finding the rows. It is for rows that are named by their key. What is
 * found by a filter is planned for the value that was asked for, and a text that differs from call to call is never met again.
 */
export const plannedOnce = sql.raw(mark)

/** A plan is kept by every connection, so not without end; the statements that come after these are planned each time. */
const mostPlans = 200

/** Under which name a connection keeps the plan of a statement; undefined for those that are planned each time. */
export const createPlanNames = () => {
  const names = new Map<string, string>()
  return (text: string, role: string): string | undefined => {
    if (!text.startsWith(mark)) return undefined
    // The fence is part of a plan: PostgreSQL makes it anew when the role is another than last time.
    const whole = `${role} ${text}`
    const known = names.get(whole)
    if (known || names.size >= mostPlans) return known
    const name = createHash('sha256').update(whole).digest('base64url')
    names.set(whole, name)
    return name
  }
}

type PlanNames = ReturnType<typeof createPlanNames>

/** The same connection, but with plans that are kept. */
export const keepingPlans = (client: pg.PoolClient, nameOf: PlanNames, role: string) =>
  Object.assign(Object.create(client) as pg.PoolClient, {
    query: (text: string, values: unknown[]) => {
      const name = nameOf(text, role)
      return name ? client.query({ name, text, values }) : client.query(text, values)
    },
  })
