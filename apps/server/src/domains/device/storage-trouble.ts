import type { Logger } from 'pino'
import type { DeviceMeters } from './device.meters.ts'

export type Trouble = 'diskFull' | 'unavailable'

const sqlState = /^[0-9A-Z]{5}$/
/** Wrong data, a broken rule, two where one may be, more than fits, raised by hand: said again, the answer is the same. */
const never = /^(21|22|23|54|P0)/
/** What the driver says without a code. */
const lineIsDown = /terminat|timeout|connect|queryable|pool/i

/**
 * Whether the database would never take it. All else is a reason to wait: what was not stored is not acknowledged, and a database
 * that is away, full, read-only or half set up must not cost a message.
 */
export const isUnstorable = (error: unknown): boolean => {
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
