import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from './db.ts'
import { toJsonb } from './jsonb.ts'
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

/** Writes one line, in the transaction of the change it tells about. It waits for nobody; it is chained shortly after. */
export const recordOperation = async (db: Db, line: AuditLine): Promise<void> => {
  const { actor } = line
  const entered = line.place ?? actor?.operating
  const place = entered ?? actor?.department
  await sql`insert into op_log_pending (department_id, department_name, department_path, outside, user_id, username, client_ip, host,
      route, module, type, description, result, code, user_agent, before, after)
    values (${place?.id ?? null}, ${place?.name ?? null}, ${place?.path ?? null}::ltree, ${isFromOutside(actor, entered)},
      ${actor?.id ?? null}, ${flat(actor?.username ?? line.claimedName ?? '', 128) || null}, ${line.clientIp},
      ${flat(line.host, 255)}, ${line.route}, ${line.module}, ${line.type}, ${line.description ? describe(line.description) : null},
      ${line.result}, ${line.code}, ${flat(line.userAgent, 512)}, ${json(line.before)}::jsonb, ${json(line.after)}::jsonb)`.execute(
    db,
  )
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
