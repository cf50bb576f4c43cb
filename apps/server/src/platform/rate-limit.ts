import { AppError, commonErrors } from '@campanile/contract'
import { sql } from 'kysely'
import { addSeconds, type Clock } from './clock.ts'
import type { Db } from './db.ts'

export interface RateRule {
  readonly name: string
  readonly limit: number
  readonly seconds: number
  /** Counted by `person` (100005) or by `address` (100020). */
  readonly by: 'person' | 'address'
}

export interface Counted {
  readonly hits: number
  /** Until counting begins anew. */
  readonly seconds: number
}

/** Fixed windows, counted in the database so that several server processes share one count. */
export const createRateLimit = ({ db, clock }: { db: Db; clock: Clock }) => {
  const secondsUntil = (end: string) => Math.max(1, Math.ceil((Date.parse(end) - clock.now().getTime()) / 1000))

  /** Counts one more, or so many. */
  const add = async (
    { name, seconds }: Pick<RateRule, 'name' | 'seconds'>,
    key: string,
    times = 1,
  ): Promise<Counted> => {
    const now = clock.now()
    const counted = await sql<{ hits: number; end: string }>`
      insert into rate_limit as r (name, key, window_end, hits) values (${name}, ${key}, ${addSeconds(now, seconds)}, ${times})
      on conflict (name, key) do update set
        hits = case when r.window_end <= ${now} then ${times} else least(r.hits + ${times}, 1000000000) end,
        window_end = case when r.window_end <= ${now} then excluded.window_end else r.window_end end
      returning hits, window_end as end`.execute(db)
    const { hits, end } = counted.rows[0] as { hits: number; end: string }
    return { hits, seconds: secondsUntil(end) }
  }
  /** How many there are in the window, this one included. */
  const count = async (rule: Pick<RateRule, 'name' | 'seconds'>, key: string): Promise<number> =>
    (await add(rule, key)).hits

  return {
    add,
    count,
    take: async (rule: RateRule, key: string): Promise<void> => {
      const { hits, seconds } = await add(rule, key)
      if (hits > rule.limit)
        throw new AppError(rule.by === 'person' ? commonErrors.tooFrequent : commonErrors.rateLimit, {
          retryAfter: seconds,
        })
    },
    /** What is counted already; counts nothing. */
    look: async (rule: Pick<RateRule, 'name'>, key: string): Promise<Counted> => {
      const { rows } = await sql<{ hits: number; end: string }>`select hits, window_end as end from rate_limit
        where name = ${rule.name} and key = ${key} and window_end > ${clock.now()}`.execute(db)
      return rows[0] ? { hits: rows[0].hits, seconds: secondsUntil(rows[0].end) } : { hits: 0, seconds: 0 }
    },
    /** Takes a hit back that turned out not to count: a sign-in that succeeded. */
    giveBack: async (rule: Pick<RateRule, 'name'>, key: string): Promise<void> => {
      await sql`update rate_limit set hits = greatest(hits - 1, 0) where name = ${rule.name} and key = ${key}`.execute(
        db,
      )
    },
    /** Of these first words of keys, those under which something is counted; the rest of a key follows a space. */
    countedBelow: async (names: readonly string[], words: readonly string[]): Promise<string[]> => {
      const { rows } = await sql<{ word: string }>`select distinct split_part(key, ' ', 1) as word from rate_limit
        where name = any(${names}) and split_part(key, ' ', 1) = any(${words})`.execute(db)
      return rows.map(({ word }) => word)
    },
    /** Begins the counts of every key with one of these first words anew. */
    forgetBelow: async (names: readonly string[], words: readonly string[]): Promise<void> => {
      await sql`delete from rate_limit where name = any(${names}) and split_part(key, ' ', 1) = any(${words})`.execute(
        db,
      )
    },
    /** Begins the count of one key anew. */
    forget: async (rule: Pick<RateRule, 'name'>, key: string): Promise<void> => {
      await sql`delete from rate_limit where name = ${rule.name} and key = ${key}`.execute(db)
    },
    sweep: async (): Promise<void> => {
      await sql`delete from rate_limit where window_end <= ${clock.now()}`.execute(db)
    },
  }
}

export type RateLimit = ReturnType<typeof createRateLimit>
