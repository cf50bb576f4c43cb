import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from './db.ts'
import { fenced } from './fence.ts'
import { toJsonb } from './jsonb.ts'
import { plannedOnce } from './planned-once.ts'
import { maskSecrets } from './secret-fields.ts'
import { seldom } from './seldom.ts'

interface AuditPlace {
  readonly id: number
  readonly name: string
  readonly path: string
}

/** Who did it, as the operation log shows it; absent for people who have not signed in. */
export interface AuditActor {
  readonly id: number
  readonly username: string
  readonly department: AuditPlace
  /** The organisation they had entered: the line stands in its log, and so in that of everybody above it. */
  readonly operating?: AuditPlace | null
}

export interface AuditLine {
  readonly actor: AuditActor | null
  /** The organisation whose rows were touched, where it is another than the actor's. */
  readonly place?: AuditPlace | undefined
  /** What a stranger called themselves, when there is no actor. */
  readonly claimedName?: string | undefined
  readonly clientIp: string
  readonly host: string
  readonly userAgent: string
  readonly route: string
  readonly module: string
  readonly type: string
  readonly description?: string | undefined
  readonly result: 'success' | 'failed'
  readonly code: number
  readonly before?: unknown
  readonly after?: unknown
}

/** Control characters in what a stranger sends must not forge a second line in any viewer. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const flat = (text: string, max: number) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').slice(0, max)
const descriptionMax = 5000
/** What is cut off anyway is not searched for secrets: ten thousand serial numbers are a long text. */
const describe = (text: string) => flat(String(maskSecrets(text.slice(0, 2 * descriptionMax))), descriptionMax)
const json = (value: unknown) => (value === undefined ? null : toJsonb(maskSecrets(value)))

/** Somebody of another organisation, who has entered this one or acts on its rows from above. */
const isFromOutside = (actor: AuditActor | null, entered: AuditPlace | null | undefined) =>
  Boolean(actor && entered && !`${actor.department.path}.`.startsWith(`${entered.path}.`))

/** What a line holds, by column of `op_log_pending`; the trigger adds when it was written and what it follows. */
const rowOf = (line: AuditLine) => {
  const { actor } = line
  const entered = line.place ?? actor?.operating
  const place = entered ?? actor?.department
  return {
    departmentId: place?.id ?? null,
    departmentName: place?.name ?? null,
    departmentPath: place?.path ?? null,
    outside: isFromOutside(actor, entered),
    userId: actor?.id ?? null,
    username: flat(actor?.username ?? line.claimedName ?? '', 128) || null,
    clientIp: line.clientIp,
    host: flat(line.host, 255),
    route: line.route,
    module: line.module,
    type: line.type,
    description: line.description ? describe(line.description) : null,
    result: line.result,
    code: line.code,
    userAgent: flat(line.userAgent, 512),
    before: json(line.before),
    after: json(line.after),
  }
}

type Row = ReturnType<typeof rowOf>

/** The statement is the same for any number of lines. */
const insert = (db: Db, rows: readonly Row[]) => {
  const each = <K extends keyof Row>(name: K) => rows.map((row) => row[name])
  return sql`${plannedOnce} insert into op_log_pending (department_id, department_name, department_path, outside, user_id, username, client_ip,
      host, route, module, type, description, result, code, user_agent, before, after)
    select * from unnest(${each('departmentId')}::bigint[], ${each('departmentName')}::text[],
      ${each('departmentPath')}::ltree[], ${each('outside')}::boolean[], ${each('userId')}::bigint[],
      ${each('username')}::text[], ${each('clientIp')}::text[], ${each('host')}::text[], ${each('route')}::text[],
      ${each('module')}::text[], ${each('type')}::text[], ${each('description')}::text[], ${each('result')}::text[],
      ${each('code')}::integer[], ${each('userAgent')}::text[], ${each('before')}::jsonb[], ${each('after')}::jsonb[])`.execute(
    db,
  )
}

/** Writes one line, in the transaction of the change it tells about. It waits for nobody; it is chained shortly after. */
export const recordOperation = async (db: Db, line: AuditLine): Promise<void> => {
  await insert(db, [rowOf(line)])
}

/** The database found fault with a row: nothing of the statement stayed, and the other rows are not to blame. */
const isRowRefused = (error: unknown) => error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')

/** More than this would only make the first of them wait for the last. */
const mostTogether = 200

interface Gathered {
  readonly row: Row
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes the lines of calls that have no transaction of their own. What comes while a statement is on its way waits and goes
 * with the next one, so that many reads share a commit; each is told once its own line is on disk, or that it is not.
 */
export const createLineGatherer = (db: Db) => {
  const waiting: Gathered[] = []
  let isWriting = false
  const write = async (lines: readonly Gathered[]): Promise<void> => {
    try {
      await insert(
        db,
        lines.map(({ row }) => row),
      )
      for (const { resolve } of lines) resolve()
    } catch (error) {
      if (lines.length > 1 && isRowRefused(error)) for (const line of lines) await write([line])
      else for (const { reject } of lines) reject(error)
    }
  }
  const writeAll = async () => {
    isWriting = true
    // A call that leaves several lines hands them over one by one: they go together.
    await Promise.resolve()
    while (waiting.length > 0) await write(waiting.splice(0, mostTogether))
    isWriting = false
  }
  return (line: AuditLine) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ row: rowOf(line), resolve, reject })
      // Lines of several people go together: the server writes them, on behalf of nobody.
      if (!isWriting) void fenced(undefined, writeAll)
    })
}

/** Chains what waits. Whoever reads the log calls it first, so that nobody sees it without its newest lines. */
export const catchUpLog = (db: Db) => sql`select op_log_catch_up()`.execute(db)

const chainEveryMs = 500
const complainEveryMs = 60_000

/** Chains what is written shortly after, also while nobody reads. Several servers may do so: the head makes them wait. */
export const createLogWriter = ({ db, log }: { db: Db; log: Logger }) => {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<unknown> | undefined
  const complain = seldom(complainEveryMs, (err) => log.error({ err }, 'lines of the operation log wait to be chained'))
  const chain = () => {
    working ??= catchUpLog(db)
      .catch(complain)
      .finally(() => {
        working = undefined
      })
  }
  return {
    start: () => {
      timer = setInterval(chain, chainEveryMs)
    },
    stop: async () => {
      clearInterval(timer)
      await working
    },
  }
}
