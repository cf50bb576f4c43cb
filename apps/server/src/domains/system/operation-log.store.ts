import { type ListQuery, operationLog, type Row, readableFields } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { matching, ordering } from '../../kit/list/query.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { bindTable, selection, source } from '../../kit/table.ts'
import { catchUpLog } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'

export const operations = bindTable(operationLog, {
  name: 'op_log',
  columns: { departmentName: sql`t.department_name`, code: sql`t.code::text` },
  filters: {
    // Whole words and beginnings, so that an index answers over millions of lines.
    module: (module: string) => (module === '' ? sql<SqlBool>`true` : sql<SqlBool>`t.module = ${module}`),
    clientIp: (ip: string) => sql<SqlBool>`t.client_ip like ${`${ip.replace(/[\\%_]/g, '\\$&')}%`}`,
  },
  path: sql`t.department_path`,
  beforeReading: catchUpLog,
})

type Bounds = { readonly startTime?: string | undefined; readonly endTime?: string | undefined }

const times = ['startTime', 'endTime']
const tallied = ['module', 'type', 'result']

const askedFor = (query: ListQuery): string[] =>
  Object.keys(query).filter(
    (name) => !['page', 'pageSize', 'sort', ...times].includes(name) && query[name] !== undefined && query[name] !== '',
  )

/** Numbers run without a gap in the order of time (`op_log_catch_up` sees to both), so a span of time is a span of numbers. */
const spanOf = ({ startTime, endTime }: Bounds) => ({
  first: startTime
    ? sql`(select id from op_log where create_time >= ${startTime} order by create_time, id limit 1)`
    : sql`1`,
  last: endTime
    ? sql`(select id from op_log where create_time < ${endTime} order by create_time desc, id desc limit 1)`
    : sql`(select id from op_log_head)`,
})

const countSpan = (bounds: Bounds) => {
  const { first, last } = spanOf(bounds)
  return sql`greatest(0, coalesce(${last} - ${first} + 1, 0))`
}

const countLines = (scope: Scope, query: Readonly<Record<string, unknown>>) =>
  sql`(select count(*) from ${source(operations)} where ${matching(operations, scope, query)})`

const dayOf = (time: string) => new Date(time).toISOString().slice(0, 10)
const midnight = (day: string, later = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000).toISOString()

/** Whole days come from the tally, what is left of the first and the last day is counted. */
const countTally = (scope: Scope, query: ListQuery) => {
  const { startTime, endTime } = query as Bounds
  const { module, type, result } = query
  const firstDay = startTime ? dayOf(startTime) : undefined
  const lastDay = endTime ? dayOf(endTime) : undefined
  if (firstDay && lastDay && firstDay >= lastDay) return countLines(scope, query)
  const where: RawBuilder<SqlBool>[] = [
    reaches(scope, sql`department_path`),
    ...(module ? [sql<SqlBool>`module = ${module}`] : []),
    ...(type ? [sql<SqlBool>`type = any(${type})`] : []),
    ...(result ? [sql<SqlBool>`result = any(${result})`] : []),
    ...(firstDay ? [sql<SqlBool>`day > ${firstDay}::date`] : []),
    ...(lastDay ? [sql<SqlBool>`day < ${lastDay}::date`] : []),
  ]
  const whole = sql`(select coalesce(sum(lines), 0)::bigint from op_log_tally where ${sql.join(where, sql` and `)})`
  const edges = [
    ...(firstDay ? [countLines(scope, { ...query, endTime: midnight(firstDay, 1) })] : []),
    ...(lastDay ? [countLines(scope, { ...query, startTime: midnight(lastDay) })] : []),
  ]
  return sql.join([whole, ...edges], sql` + `)
}

/** Exact, whatever is asked; one statement, so that a line written meanwhile is counted once or not at all. */
const countOf = (scope: Scope, query: ListQuery) => {
  const asked = askedFor(query)
  if (scope.everything && asked.length === 0) return countSpan(query as Bounds)
  return asked.every((name) => tallied.includes(name)) ? countTally(scope, query) : countLines(scope, query)
}

export const listOperations = async (db: Db, scope: Scope, query: ListQuery) => {
  await catchUpLog(db)
  const { startTime, endTime, ...rest } = query as ListQuery & Bounds
  const { first, last } = spanOf({ startTime, endTime })
  const within = startTime || endTime ? sql`and t.id between ${first} and ${last}` : sql``
  const sort = query.sort ?? operationLog.list.sort
  // The same order, from an index everything else is combined with. An address is rare: its own index finds its lines
  // sooner than walking back through everybody's, which the sum keeps PostgreSQL from.
  const id = rest.clientIp ? sql`(t.id + 0)` : sql`t.id`
  const order = sort.endsWith('createTime')
    ? sql`${id} ${sort.startsWith('-') ? sql`desc` : sql`asc`}`
    : ordering(operations, scope, sort)
  const [page, counted] = await Promise.all([
    sql<Row<typeof operationLog>>`select ${selection(operations, scope, readableFields(operationLog))}
      from ${source(operations)} where ${matching(operations, scope, rest)} ${within}
      order by ${order} limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}`.execute(db),
    sql<{ total: number }>`select ${countOf(scope, query)} as total`.execute(db),
  ])
  return { rows: page.rows, total: counted.rows[0]?.total ?? 0 }
}

export interface OperationDetail {
  id: number
  before: unknown
  after: unknown
  userAgent: string | null
  hash: string
}

export const findOperation = async (db: Db, scope: Scope, id: number): Promise<OperationDetail | undefined> => {
  const { rows } = await sql<OperationDetail>`select t.id, t.before, t.after, t.user_agent as "userAgent",
      encode(t.hash, 'hex') as hash
    from ${source(operations)} where t.id = ${id} and ${inScope(operations, scope)}`.execute(db)
  return rows[0]
}

/** Who signed in since then, and how often. */
export const countSignIns = async (db: Db, scope: Scope, since: string): Promise<{ people: number; times: number }> => {
  await catchUpLog(db)
  const { rows } = await sql<{ people: number; times: number }>`select count(distinct l.user_id) as people,
      count(*) as times
    from op_log l where l.type = 'signIn' and l.result = 'success' and l.create_time >= ${since}
      and ${reaches(scope, sql`l.department_path`)}`.execute(db)
  return rows[0] ?? { people: 0, times: 0 }
}

/**
 * A query of the lines about one row of a module, told by what they describe; `among` finds those that name several rows, of
 * one route.
 */
export const operationsAbout = (
  scope: Scope,
  { module, description, among }: { module: string; description: string; among: { route: string; pattern: string } },
) =>
  sql`select create_time as time, type, route, username, description, before, after from op_log
    where module = ${module} and result = 'success'
      and (description = ${description} or type <> 'read' and route ~* ${among.route} and description ~ ${among.pattern})
      and ${reaches(scope, sql`department_path`)}`
