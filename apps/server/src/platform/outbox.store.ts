import { sql } from 'kysely'
import type { Db } from './db.ts'
import { toJsonb } from './jsonb.ts'

export interface Event<T extends object = object> {
  readonly turn: number
  readonly topic: string
  readonly key: string
  readonly data: T
}

export const insertEvents = (
  tx: Db,
  topic: string,
  events: readonly { readonly key: string | number; readonly data: object }[],
) =>
  sql`insert into outbox (topic, key, data)
    select ${topic}, e.key, e.data::jsonb from unnest(${events.map(({ key }) => String(key))}::text[],
      ${events.map(({ data }) => toJsonb(data))}::text[]) with ordinality as e(key, data, at) order by e.at`.execute(tx)

/**
 * What is committed gets its turn, in the order of numbers. Of two transactions that concern the same thing the second
 * waited for the first, so it has the higher number and is never seen without it.
 */
export const giveTurns = (db: Db) =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ turn: number }>`select turn from outbox_head for update`.execute(tx)
    const given =
      await sql`with fresh as (select id, row_number() over (order by id) as n from outbox where turn is null)
      update outbox o set turn = ${rows[0]?.turn ?? 0} + fresh.n from fresh where o.id = fresh.id`.execute(tx)
    if (given.numAffectedRows) await sql`update outbox_head set turn = turn + ${given.numAffectedRows}`.execute(tx)
  })

/** The last turn that was given. */
export const findHead = async (db: Db): Promise<number> =>
  (await sql<{ turn: number }>`select turn from outbox_head`.execute(db)).rows[0]?.turn ?? 0

/** A follower that is new hears what happens from now on. */
export const enter = (db: Db, names: readonly string[]) =>
  sql`insert into outbox_follower (name, turn) select name, (select turn from outbox_head)
    from unnest(${names}::text[]) name on conflict do nothing`.execute(db)

/** Where it stands; undefined while somebody else has it. */
export const lockFollower = async (tx: Db, name: string): Promise<number | undefined> =>
  (
    await sql<{ turn: number }>`select turn from outbox_follower where name = ${name} for update skip locked`.execute(
      tx,
    )
  ).rows[0]?.turn

export const moveTo = (tx: Db, name: string, turn: number) =>
  sql`update outbox_follower set turn = greatest(turn, ${turn}) where name = ${name}`.execute(tx)

const columns = sql`o.turn, o.topic, o.key, o.data`

export const findNext = async (tx: Db, topic: string, after: number, limit: number): Promise<Event[]> =>
  (
    await sql<Event>`select ${columns} from outbox o where o.turn > ${after} and o.topic = ${topic}
      order by o.turn limit ${limit}`.execute(tx)
  ).rows

export const findHeldKeys = async (tx: Db, follower: string): Promise<Set<string>> => {
  const { rows } = await sql<{ key: string }>`select distinct key from outbox_waiting
    where follower = ${follower}`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

export const holdBack = (
  db: Db,
  follower: string,
  events: readonly Pick<Event, 'turn' | 'key'>[],
  error: string | null,
  waitMs: number,
) =>
  sql`insert into outbox_waiting (follower, turn, key, tries, next_try, error)
    select ${follower}, e.turn, e.key, ${error === null ? 0 : 1}, now() + ${waitMs} * interval '1 millisecond', ${error?.slice(0, 500) ?? null}
    from unnest(${events.map(({ turn }) => turn)}::bigint[], ${events.map(({ key }) => key)}::text[]) as e(turn, key)
    on conflict (follower, turn) do update set tries = outbox_waiting.tries + 1, next_try = excluded.next_try,
      error = excluded.error`.execute(db)

/** The first of each thing, when it is time to try it again. */
export const findDue = async (db: Db, follower: string): Promise<(Event & { tries: number })[]> =>
  (
    await sql<Event & { tries: number }>`select ${columns}, w.tries from (
        select distinct on (key) * from outbox_waiting where follower = ${follower} order by key, turn) w
      join outbox o on o.turn = w.turn where w.next_try <= now() order by w.turn limit 200`.execute(db)
  ).rows

export const settle = (tx: Db, follower: string, turn: number) =>
  sql`delete from outbox_waiting where follower = ${follower} and turn = ${turn}`.execute(tx)

/**
 * What everybody has heard stays a day, for whoever looks into something. After a month a follower is gone that has not
 * heard it: the room it belonged to was taken out.
 */
export const removeHeard = (db: Db) =>
  sql`delete from outbox o where o.create_time < now() - interval '30 days' or o.turn <= coalesce((select min(turn) from outbox_follower), o.turn)
    and o.create_time < now() - interval '1 day'
    and not exists (select from outbox_waiting w where w.turn = o.turn)`.execute(db)
