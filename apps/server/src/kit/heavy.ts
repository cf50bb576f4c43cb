import { AppError, commonErrors } from '@campanile/contract'
import type { KyselyPlugin } from 'kysely'
import type { Db } from '../platform/db.ts'

/** What one account may have under way of what costs much, and how many more of its calls wait for their turn. */
const limits = { atOnce: 2, waiting: 50, waitMs: 30_000 }

/** Asks nothing more of the database once the caller no longer waits: the work ends there and its turn is given back. */
export const whileThere = (db: Db, isThere: () => boolean): Db => {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (!isThere()) throw new AppError(commonErrors.tooFrequent)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return db.withPlugin(plugin)
}

interface Lane {
  running: number
  /** In the order they came. */
  readonly waiting: Set<() => void>
}

/**
 * Calls that are declared heavy take turns, account by account: whoever sends many of them waits for their own and holds
 * up nobody else. Kept in memory: several server processes allow as many times as much (behaviour: api.heavy).
 */
export const createTurns = ({ atOnce, waiting, waitMs } = limits) => {
  const lanes = new Map<number, Lane>()

  const leave = (account: number, lane: Lane) => {
    lane.running -= 1
    const [next] = lane.waiting
    if (next) next()
    else if (lane.running === 0) lanes.delete(account)
  }

  return {
    /** Resolves with what ends the turn; `onGone` tells when the caller no longer waits for an answer. */
    take: (account: number, onGone: (gone: () => void) => void): Promise<() => void> =>
      new Promise((resolve, reject) => {
        const lane = lanes.get(account) ?? { running: 0, waiting: new Set() }
        lanes.set(account, lane)
        const begin = () => {
          lane.running += 1
          resolve(() => leave(account, lane))
        }
        const refuse = () => reject(new AppError(commonErrors.tooFrequent, { retryAfter: 1 }))
        if (lane.running < atOnce) return begin()
        if (lane.waiting.size >= waiting) return refuse()
        const giveUp = () => {
          if (lane.waiting.delete(called)) refuse()
        }
        const timer = setTimeout(giveUp, waitMs)
        const called = () => {
          clearTimeout(timer)
          lane.waiting.delete(called)
          begin()
        }
        lane.waiting.add(called)
        onGone(() => {
          clearTimeout(timer)
          giveUp()
        })
      }),
    /** How many accounts have something under way. */
    size: () => lanes.size,
  }
}
