import { z } from 'zod'
import type { Db } from './db.ts'
import { insertNotifications, type News } from './notification.store.ts'
import type { Outbox } from './outbox.ts'
import type { Signals } from './signals.ts'
import { defineTopic } from './topic.ts'

export const liveChannel = 'campanile_live'
/** What travels on the live channel: to whom, and what their browsers are told. */
export interface LiveMessage {
  readonly userIds: readonly number[]
  readonly message: { readonly type: string } & Readonly<Record<string, unknown>>
}
/** A signal holds 8,000 bytes; ids have at most 16 digits. */
const idsInOneSignal = 400

const notification = defineTopic('notification', z.object({ userIds: z.array(z.number()), news: z.custom<News>() }))

const chunks = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / idsInOneSignal) }, (_, at) =>
    ids.slice(at * idsInOneSignal, (at + 1) * idsInOneSignal),
  )

/** Tells people: a line in their notification centre and, if they are there, a word to their browser. */
export const createNotify = ({ signals, outbox }: { signals: Signals; outbox: Outbox }) => {
  const tell = async (db: Db, userIds: readonly number[], message: LiveMessage['message']) => {
    for (const some of chunks(userIds))
      await signals.send(db, liveChannel, JSON.stringify({ userIds: some, message } satisfies LiveMessage))
  }
  outbox.follow('notifications', notification, async (tx, events) => {
    for (const { data } of events) {
      const { userIds, news } = data
      await insertNotifications(tx, userIds, news)
      await tell(tx, userIds, { type: 'notification', kind: news.type, word: news.word })
    }
  })
  return {
    /**
     * A word to the browsers of these people that leaves no trace, heard when the transaction commits. It may be missed:
     * for what is soon said again (how far a task is), or from a follower of the outbox, which says it until it is said.
     */
    tell,
    /** Both, once the transaction of what the news is about is certain; also when this process is killed right after. */
    notify: (db: Db, userIds: readonly number[], news: News) =>
      outbox.emit(
        db,
        notification,
        // One person's news stay in their order.
        chunks(userIds).map((some) => ({ key: String(some[0]), data: { userIds: some, news } })),
      ),
  }
}

export type Notify = ReturnType<typeof createNotify>
