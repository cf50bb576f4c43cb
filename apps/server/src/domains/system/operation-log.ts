import { AppError, gatewayErrors, type ListQuery, operationDetail, operationLog, type Row } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import { bindTable, inScope, matching, ordering, readableFields, selection, source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'

const log = bindTable(operationLog, {
  name: 'op_log',
  columns: { departmentName: sql`t.department_name`, code: sql`t.code::text` },
  filters: {
    // Whole words and beginnings, so that an index answers over a million lines.
    module: (module: string) => (module === '' ? sql<SqlBool>`true` : sql<SqlBool>`t.module = ${module}`),
    clientIp: (ip: string) => sql<SqlBool>`t.client_ip like ${`${ip.replace(/[\\%_]/g, '\\$&')}%`}`,
  },
  path: sql`t.department_path`,
})

const times = ['startTime', 'endTime']
const isAsked = (query: ListQuery, name: string) => query[name] !== undefined && query[name] !== ''

/** Numbers follow each other without a gap and in the order of time (see the chain in the schema), so a span of time is a span of numbers. */
const countSpan = async (db: Db, { startTime, endTime }: ListQuery): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select greatest(0, coalesce(
      (select id from op_log where ${endTime ? sql`create_time < ${endTime}` : sql`true`}
        order by create_time desc, id desc limit 1)
      - (select id from op_log where ${startTime ? sql`create_time >= ${startTime}` : sql`true`}
        order by create_time, id limit 1) + 1, 0)) as total`.execute(db)
  return rows[0]?.total ?? 0
}

const count = async (db: Db, scope: Scope, query: ListQuery): Promise<number> => {
  const { page: _page, pageSize: _pageSize, sort: _sort, ...filters } = query
  const onlyTimes = Object.keys(filters).every((name) => times.includes(name) || !isAsked(query, name))
  if (scope.everything && onlyTimes) return countSpan(db, query)
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${source(log)}
    where ${matching(log, scope, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

const list = async (db: Db, scope: Scope, query: ListQuery) => {
  const fields = readableFields(operationLog)
  const [page, total] = await Promise.all([
    sql<Row<typeof operationLog>>`select ${selection(log, fields)} from ${source(log)}
      where ${matching(log, scope, query)} order by ${ordering(log, query.sort ?? operationLog.list.sort)}
      limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}`.execute(db),
    count(db, scope, query),
  ])
  return { rows: page.rows, total }
}

interface Detail {
  id: number
  before: unknown
  after: unknown
  userAgent: string | null
  hash: string
}

export const mountOperationLog = ({ kit }: Services) => {
  mount(kit, log, { list: ({ db, scope, input }) => list(db, scope, input), export: byDefault })

  kit.guarded(operationDetail, 'operationLog', async (call) => {
    const { db, scope, input } = call
    const { rows } = await sql<Detail>`select t.id, t.before, t.after, t.user_agent as "userAgent",
        encode(t.hash, 'hex') as hash
      from ${source(log)} where t.id = ${input.id} and ${inScope(log, scope)}`.execute(db)
    const line = rows[0]
    if (!line) throw new AppError(gatewayErrors.resourceNotFound, { id: input.id })
    call.note({ description: String(line.id) })
    return line
  })
}
