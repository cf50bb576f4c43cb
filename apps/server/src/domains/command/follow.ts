import type { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { findMeant, type Moved, type Report } from './reply.store.ts'

/** Something that became of a command: its device is at it, or it has ended. */
export interface CommandNews {
  readonly commandId: number
  /** The row it was given for. */
  readonly originId: number
  readonly deviceId: number | null
  readonly sn: string
  readonly what: 'underWay' | 'done' | 'failed' | 'expired'
  readonly percent: number | null
  readonly step: protocol.ReplyStep | null
  readonly reason: string | null
  readonly result: Readonly<Record<string, unknown>> | null
}
type Follower = (tx: Db, news: readonly CommandNews[]) => Promise<unknown>

const ends = { done: 'done', failed: 'failed', expired: 'expired' } as const

/** Rooms that hear what becomes of the commands they have given, in the transaction in which it does. */
export const createFollowers = () => {
  const followers = new Map<string, Follower>()

  const originsOf = async (tx: Db, ids: readonly number[]) => {
    const { rows } = await sql<{ id: number; kind: string; originId: number }>`select c.id, k.origin_kind as kind,
        k.origin_id as "originId"
      from command c join device_task k on k.id = c.task_id
      where c.id = any(${ids}) and k.origin_kind = any(${[...followers.keys()]}) and k.origin_id is not null`.execute(
      tx,
    )
    return rows
  }

  const tell = async (tx: Db, news: ReadonlyMap<number, Omit<CommandNews, 'originId' | 'commandId'>>) => {
    if (news.size === 0) return
    const kinds = new Map<string, CommandNews[]>()
    for (const { id, kind, originId } of await originsOf(tx, [...news.keys()])) {
      const each = news.get(id)
      if (each) kinds.set(kind, [...(kinds.get(kind) ?? []), { ...each, commandId: id, originId }])
    }
    for (const [kind, some] of kinds) await followers.get(kind)?.(tx, some)
  }

  return {
    /** Of commands whose `origin` is of this kind. Do little in it: devices wait for it. */
    follow: (kind: string, follower: Follower) => {
      if (followers.has(kind)) throw new Error(`${kind} is followed by two rooms`)
      followers.set(kind, follower)
    },
    /** What devices said that has not ended; a word about what is over, or is not theirs, is no news. */
    tellUnderWay: async (tx: Db, reports: readonly Report[]) => {
      if (followers.size === 0 || reports.length === 0) return
      const meant = new Set(await findMeant(tx, reports))
      await tell(
        tx,
        new Map(
          reports
            .filter(({ id }) => meant.has(id))
            .map(({ id, deviceId, sn, percent, step }) => [
              id,
              { deviceId, sn, what: 'underWay', percent, step, reason: null, result: null },
            ]),
        ),
      )
    },
    tellEnded: async (tx: Db, moved: readonly Moved[]) => {
      if (followers.size === 0) return
      await tell(
        tx,
        new Map(
          moved.flatMap(({ id, deviceId, sn, state, percent, reason, result }) =>
            state in ends
              ? [[id, { deviceId, sn, what: ends[state as keyof typeof ends], percent, step: null, reason, result }]]
              : [],
          ),
        ),
      )
    },
  }
}
export type Followers = ReturnType<typeof createFollowers>
