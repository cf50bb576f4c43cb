import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/db.ts'
import type { DeviceMeters } from './device.meters.ts'

export type Trouble = 'diskFull' | 'unavailable'

const sqlState = /^[0-9A-Z]{5}$/
/** Wrong data, a broken rule, two where one may be, more than fits, raised by hand: said again, the answer is the same. */
const never = /^(21|22|23|54|P0)/
/** What the driver says without a code. */
const lineIsDown = /terminat|timeout|connect|queryable|pool/i

/** A database that is away, busy, full or read-only: nothing a room did. */
const passing = /^(08|25006|40|53|55|57|58)/

/** A room could not do what it does with a message, and the database is not the reason. */
export class RoomFault extends Error {
  override readonly name = 'RoomFault'
}

/** It answers, be it only that the transaction has failed. */
const isAnswering = (tx: Db) =>
  sql`select 1`.execute(tx).then(
    () => true,
    (error: { code?: unknown }) => error.code === '25P02',
  )

/**
 * A room's part of a transaction. Whatever goes wrong in it that waiting does not mend is the room's fault: its neighbours
 * neither wait for it nor are lost with it.
 */
export const inRoom = async (tx: Db, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    const { code } = error as { code?: unknown }
    const isStated = typeof code === 'string' && sqlState.test(code)
    if (isStated ? passing.test(code) : !(await isAnswering(tx))) throw error
    throw new RoomFault(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * Whether the database would never take it. All else is a reason to wait: what was not stored is not acknowledged, and a database
 * that is away, full, read-only or half set up must not cost a message.
 */
export const isUnstorable = (error: unknown): boolean => {
  if (error instanceof RoomFault) return true
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return true
  const { code, message } = error as { code?: unknown; message?: string }
  if (typeof code === 'string') return sqlState.test(code) && never.test(code)
  return !lineIsDown.test(message ?? '')
}

const troubleOf = (error: unknown): Trouble => {
  const { code, message } = error as { code?: unknown; message?: string }
  const isFull = code === '53100' || code === 'ENOSPC' || /no space left on device/i.test(message ?? '')
  return isFull ? 'diskFull' : 'unavailable'
}

const texts = {
  diskFull: 'the disk of the database is full: devices’ messages wait until there is space',
  unavailable: 'devices’ messages wait for the database',
}

/** Batches that wait for the database, and why. Said once when it begins, when the reason changes and when it is over. */
export const createStorageTrouble = (log: Logger, meters: Pick<DeviceMeters, 'waits'>) => {
  const waiting = new Map<object, Trouble>()
  let current: Trouble | undefined

  const tell = (err?: unknown) => {
    const reasons = [...waiting.values()]
    const next = reasons.includes('diskFull') ? 'diskFull' : reasons[0]
    if (next === current) return
    current = next
    meters.waits(next)
    if (next) log[next === 'diskFull' ? 'error' : 'warn']({ err }, texts[next])
    else log.info('devices’ messages are stored again')
  }
  return {
    get current() {
      return current
    },
    began: (batch: object, err: unknown) => {
      waiting.set(batch, troubleOf(err))
      tell(err)
    },
    ended: (batch: object) => {
      if (waiting.delete(batch)) tell()
    },
  }
}
