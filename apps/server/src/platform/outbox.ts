import type { Logger } from 'pino'
import type { Db } from './db.ts'
import { fenced } from './fence.ts'
import {
  type Event,
  enter,
  findDue,
  findHead,
  findHeldKeys,
  findNext,
  giveTurns,
  holdBack,
  insertEvents,
  lockFollower,
  moveTo,
  removeHeard,
  settle,
} from './outbox.store.ts'
import type { Signals } from './signals.ts'
import type { Topic } from './topic.ts'

export type { Event } from './outbox.store.ts'

/** Hears events in its own transaction: what it writes and that it has heard them are kept together. */
export type Follow<T extends object = object> = (tx: Db, events: readonly Event<T>[]) => Promise<unknown>

interface Follower {
  readonly name: string
  readonly topic: string
  readonly follow: (tx: Db, events: readonly Event[]) => Promise<unknown>
}

interface Deps {
  readonly db: Db
  readonly signals: Signals
  readonly log: Logger
  /** Shortened by tests. */
  readonly pollMs?: number
  readonly retryMs?: number
}

const channel = 'campanile_outbox'
const batch = 200
const longestRetryMs = 3_600_000
const tidyMs = 3_600_000

/**
 * What happened in one room and others want to hear, after it is certain: at least once, and whatever concerns one thing
 * (`key`) in order. A follower that cannot take an event is told it again later and holds up nothing but that thing.
 */
export const createOutbox = ({ db, signals, log, pollMs = 2_000, retryMs = 1_000 }: Deps) => {
  const followers: Follower[] = []
  let timers: NodeJS.Timeout[] = []
  let working: Promise<void> | undefined
  let again = false
  let isStarted = false

  const alone = <T>(follower: Follower, work: (tx: Db, turn: number) => Promise<T>): Promise<T | undefined> =>
    db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      // Another server may be at it: then it is heard there.
      const turn = await lockFollower(tx, follower.name)
      return turn === undefined ? undefined : work(tx, turn)
    })

  const waitOf = (tries: number) => Math.min(longestRetryMs, retryMs * 2 ** Math.min(tries, 30))

  /** One event, for itself: heard, or set aside with everything that follows for the same thing. */
  const hearOne = async (follower: Follower, event: Event) => {
    const heard = await alone(follower, async (tx) => {
      await follower.follow(tx, [event])
      await moveTo(tx, follower.name, event.turn)
      return true
    }).catch((err: unknown) => {
      log.error({ err, follower: follower.name, topic: event.topic, key: event.key }, 'an event could not be heard')
      return err instanceof Error ? err : new Error(String(err))
    })
    if (heard instanceof Error)
      await alone(follower, async (tx) => {
        await holdBack(tx, follower.name, [event], heard.message, waitOf(0))
        await moveTo(tx, follower.name, event.turn)
      })
  }

  /** Answers whether there may be more. */
  const hearNext = async (follower: Follower): Promise<boolean> => {
    let taken: Event[] = []
    try {
      return (
        (await alone(follower, async (tx, turn) => {
          const head = await findHead(tx)
          taken = await findNext(tx, follower.topic, turn, batch)
          const last = taken.at(-1)
          if (!last) {
            // Nothing up to there concerns it: it does not keep what others have heard from being removed.
            if (head > turn) await moveTo(tx, follower.name, head)
            return false
          }
          const held = await findHeldKeys(tx, follower.name)
          const later = taken.filter(({ key }) => held.has(key))
          if (later.length > 0) await holdBack(tx, follower.name, later, null, 0)
          taken = taken.filter(({ key }) => !held.has(key))
          if (taken.length > 0) await follower.follow(tx, taken)
          await moveTo(tx, follower.name, last.turn)
          return true
        })) ?? false
      )
    } catch (err) {
      if (taken.length === 0) throw err
      // Together they do not go: each for itself, so that one of them holds up none of the others.
      for (const event of taken) await hearOne(follower, event)
      return true
    }
  }

  /** What was set aside, the first of each thing. */
  const hearAgain = async (follower: Follower) => {
    for (const { tries, ...event } of await findDue(db, follower.name)) {
      const error = await alone(follower, async (tx) => {
        await follower.follow(tx, [event])
        await settle(tx, follower.name, event.turn)
      }).then(
        () => undefined,
        (err: unknown) => (err instanceof Error ? err : new Error(String(err))),
      )
      if (!error) again = true
      else {
        log.error({ err: error, follower: follower.name, topic: event.topic, tries }, 'an event could not be heard')
        await holdBack(db, follower.name, [event], error.message, waitOf(tries + 1))
      }
    }
  }

  const round = async () => {
    do {
      again = false
      await giveTurns(db)
      for (const follower of followers) {
        await hearAgain(follower)
        while (isStarted && (await hearNext(follower))) again = true
      }
    } while (again && isStarted)
  }

  const wake = () => {
    if (!isStarted) return
    again = true
    working ??= fenced(undefined, round)
      .catch((err) => log.error({ err }, 'events could not be passed on'))
      .finally(() => {
        working = undefined
      })
  }
  signals.on(channel, wake)

  return {
    /** Give it the transaction of what happened: both are kept or neither. */
    emit: async <T extends object>(
      tx: Db,
      topic: Topic<T>,
      events: readonly { readonly key: string | number; readonly data: T }[],
    ) => {
      if (events.length === 0) return
      await insertEvents(tx, topic.name, events)
      await signals.send(tx, channel)
    },
    /** From now on; a name that is known goes on where it stopped. */
    follow: <T extends object>(name: string, topic: Topic<T>, follow: Follow<T>) => {
      if (followers.some((each) => each.name === name)) throw new Error(`two followers are called ${name}`)
      followers.push({
        name,
        topic: topic.name,
        // An older version may have written it: what is not what the topic says is an error, not a surprise.
        follow: (tx, events) =>
          follow(
            tx,
            events.map((event) => ({ ...event, data: topic.data.parse(event.data) })),
          ),
      })
    },
    start: async () => {
      await enter(
        db,
        followers.map(({ name }) => name),
      )
      isStarted = true
      timers = [setInterval(wake, pollMs), setInterval(() => void removeHeard(db).catch(() => undefined), tidyMs)]
      wake()
    },
    stop: async () => {
      isStarted = false
      for (const timer of timers) clearInterval(timer)
      await working
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
