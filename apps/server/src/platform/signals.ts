import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from './db.ts'

/** `payload` is what was sent, or undefined after a gap in which anything may have been missed. */
export type Listener = (payload: string | undefined) => void

/** Words between server processes, sent when a transaction commits. They may be missed, so nothing may depend on one. */
export const createSignals = ({ pool, log }: { pool: pg.Pool; log: Logger }) => {
  const listeners = new Map<string, Set<Listener>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let wanted = false

  /** A connection of its own: pooled ones come and go, and with them what they listen to. */
  const connect = async (): Promise<void> => {
    // Not spread: the password is a hidden property of these options.
    const mine = new pg.Client(pool.options)
    client = mine
    const lost = () => {
      if (client !== mine) return
      client = undefined
      mine.end().catch(() => undefined)
      if (wanted) retry = setTimeout(() => void connect(), 1_000)
    }
    mine.on('error', lost)
    mine.on('end', lost)
    mine.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '')
    })
    try {
      await mine.connect()
      for (const channel of listeners.keys()) await mine.query(`listen ${pg.escapeIdentifier(channel)}`)
      for (const each of listeners.values()) for (const listener of each) listener(undefined)
    } catch (err) {
      log.warn({ err }, 'cannot listen to the database; trying again')
      lost()
    }
  }

  return {
    /** Before `start`. */
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    },
    /** Heard when the transaction commits, never when it does not. At most 7,999 bytes. */
    send: (db: Db, channel: string, payload = '') => sql`select pg_notify(${channel}, ${payload})`.execute(db),
    start: async () => {
      wanted = true
      await connect()
    },
    stop: async () => {
      wanted = false
      clearTimeout(retry)
      const mine = client
      client = undefined
      await mine?.end().catch(() => undefined)
    },
  }
}

export type Signals = ReturnType<typeof createSignals>
