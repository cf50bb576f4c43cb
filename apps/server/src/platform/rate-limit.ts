import { AppError, gatewayErrors } from '@campanile/contract'
import { sql } from 'kysely'
import { type Clock, later } from './clock.ts'
import type { Db } from './db.ts'

export interface RateRule {
  readonly name: string
  readonly limit: number
  readonly seconds: number
  /** Counted by `person` (100005) or by `address` (100020). */
  readonly by: 'person' | 'address'
}

/** Fixed windows, counted in the database so that several server processes share one count. */
export const createRateLimit = ({ db, clock }: { db: Db; clock: Clock }) => {
  /** How many there are in the window, this one included. */
  const count = async ({ name, seconds }: Pick<RateRule, 'name' | 'seconds'>, key: string): Promise<number> => {
    const now = clock.now()
    const counted = await sql<{ hits: number }>`
      insert into rate_limit as r (name, key, window_end, hits) values (${name}, ${key}, ${later(now, seconds)}, 1)
      on conflict (name, key) do update set
        hits = case when r.window_end <= ${now} then 1 else r.hits + 1 end,
        window_end = case when r.window_end <= ${now} then excluded.window_end else r.window_end end
      returning hits`.execute(db)
    return counted.rows[0]?.hits ?? 1
  }

  return {
    count,
    take: async (rule: RateRule, key: string): Promise<void> => {
      if ((await count(rule, key)) > rule.limit)
        throw new AppError(rule.by === 'person' ? gatewayErrors.tooFrequent : gatewayErrors.rateLimit, {
          retryAfter: rule.seconds,
        })
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
