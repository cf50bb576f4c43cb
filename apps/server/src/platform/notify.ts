import type { Db } from './db.ts'
import { insertNotifications, type News } from './notification.store.ts'
import type { Signals } from './signals.ts'

export const liveChannel = 'campanile_live'
/** What travels on the live channel: to whom, and what their browsers are told. */
export interface LiveMessage {
  readonly userIds: readonly number[]
  readonly message: { readonly type: string } & Readonly<Record<string, unknown>>
}
/** A signal holds 8,000 bytes; ids have at most 16 digits. */
const idsInOneSignal = 400

/** Tells people: a line in their notification centre and, if they are there, a word to their browser. */
export const createNotify = (signals: Signals) => {
  const tell = async (db: Db, userIds: readonly number[], message: LiveMessage['message']) => {
    for (let at = 0; at < userIds.length; at += idsInOneSignal) {
      const some = { userIds: userIds.slice(at, at + idsInOneSignal), message } satisfies LiveMessage
      await signals.send(db, liveChannel, JSON.stringify(some))
    }
  }
  return {
    /** A word to the browsers of these people that leaves no trace. */
    tell,
    /** Both, in the transaction of what the news is about. */
    notify: async (db: Db, userIds: readonly number[], news: News) => {
      if (userIds.length === 0) return
      await insertNotifications(db, userIds, news)
      await tell(db, userIds, { type: 'notification', kind: news.type, word: news.word })
    },
  }
}

export type Notify = ReturnType<typeof createNotify>
