import type { Logger } from 'pino'
import type { RefusedAttempt } from '../../gateway/wire.ts'
import { networkOf } from '../../platform/address.ts'
import type { Db } from '../../platform/db.ts'
import { type Counted, recordRefusals, trimRefusals } from './refused.store.ts'

const writeMs = 500
/** Different ones that are held until they are written; further ones are counted by their network alone. */
const heldMax = 4_000
/** New rows after which the table is brought back to its size. */
const trimAfter = 500

/** Counts refusals and writes the counts: a flood of them is a few rows, and one write at a time. */
export const createRefusals = ({ db, log }: { db: Db; log: Logger }) => {
  let held = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined
  let isWriting = false
  let added = 0

  const count = ({ sn, address, reason, count: times = 1, message }: RefusedAttempt) => {
    const keyOf = (who: string, from: string) => `${who}\n${from}\n${reason}`
    const isKept = held.has(keyOf(sn, address)) || held.size < heldMax
    const [who, from] = isKept ? [sn, address] : ['', networkOf(address)]
    const row = held.get(keyOf(who, from))
    if (row) {
      row.count += times
      if (message) row.message = message
    } else if (held.size < heldMax * 2)
      held.set(keyOf(who, from), { sn: who, address: from, reason, count: times, ...(message && { message }) })
  }
  const add = (refusals: readonly RefusedAttempt[]) => {
    for (const refusal of refusals) count(refusal)
    if (!isWriting && held.size > 0) timer ??= setTimeout(() => void write(), writeMs)
  }
  const write = async () => {
    timer = undefined
    isWriting = true
    const rows = [...held.values()]
    held = new Map()
    let unwritten: Counted[] = []
    try {
      added += await recordRefusals(db, rows)
      if (added >= trimAfter) await trimRefusals(db)
      if (added >= trimAfter) added = 0
    } catch (err) {
      log.warn({ err }, 'refused connections could not be written down; trying again')
      unwritten = rows
    }
    isWriting = false
    add(unwritten)
  }

  return { add, stop: () => clearTimeout(timer) }
}
