import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { fencedPool } from './fence.ts'
import type { DB } from './tables.generated.ts'

export type Tables = DB
export type Db = Kysely<Tables>

const { builtins } = pg.types
// Typed upstream for the listed ids only; it answers for every one.
const findParser = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => (text: string) => unknown

const wholeNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number: select it as text`)
  return value
}

/** PostgreSQL writes `2026-01-31 08:00:00.5+00`; the session is in UTC. Microseconds stay, so cursors compare exactly. */
const isoTime = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')

const asIs = (text: string): string => text

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, wholeNumber],
  [builtins.TIMESTAMPTZ, isoTime],
  [builtins.TIMESTAMP, isoTime],
  [builtins.DATE, asIs],
])

/** Array types hold the same elements; left to pg they would become Date and text. */
const arrays: [array: number, element: number][] = [
  [1016, builtins.INT8],
  [1185, builtins.TIMESTAMPTZ],
  [1115, builtins.TIMESTAMP],
  [1182, builtins.DATE],
]
const textArray = 1009
const splitArray = findParser(textArray) as (text: string) => (string | null)[]
for (const [array, element] of arrays) {
  const parse = parsers.get(element) ?? asIs
  parsers.set(array, (text) => splitArray(text).map((item) => (item === null ? null : parse(item))))
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || findParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Two cores serve four to six queries at once; more connections only queue inside the database. */
const poolSize = 6

/**
 * The last resort against work that holds a transaction and waits for something else: the database ends it, and what it
 * held is free. Nothing of ours comes near it between two statements.
 */
const idleInTransactionMs = 60_000

interface Pooled {
  /** `false` where nothing is asked that belongs to anybody, so that no connection needs to be turned for it. */
  readonly fence?: boolean
  /** Told of work that asks for a second connection while it holds one. */
  readonly onSecond?: () => void
}

export function createDb(
  app: pg.PoolConfig,
  { fence = true, onSecond }: Pooled = {},
): { db: Db; pool: pg.Pool; close(): Promise<void> } {
  const pool = new pg.Pool({
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'campanile',
    options: '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601',
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...app,
    types,
  })
  // A connection that breaks (the database restarted) fails its next query and leaves the pool. Without these listeners
  // it would end the process: the first while it is idle, the second while somebody holds it between two queries.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: fence ? fencedPool(pool, onSecond) : pool }) })
  return { db, pool, close: () => db.destroy() }
}
