import type { Logger } from 'pino'

const quietMs = 60_000
const keptMax = 1_000

/** One line a minute for a device and reason, however often it happens: a device that errs must not fill the disk. */
export const createRefusalLog = (log: Logger, text: string, now: () => number = Date.now) => {
  const told = new Map<string, { at: number; since: number }>()
  return (sn: string, reason: string, about: Record<string, unknown>) => {
    const key = `${sn} ${reason}`
    const before = told.get(key)
    if (before && before.at > now() - quietMs) {
      before.since += 1
      return
    }
    if (!before && told.size >= keptMax) {
      for (const [each, { at }] of told) if (at <= now() - quietMs) told.delete(each)
      // So many err at once that their list in the console has to do.
      if (told.size >= keptMax) return
    }
    told.set(key, { at: now(), since: 0 })
    log.warn({ sn, reason, ...about, unsaid: before?.since ?? 0 }, text)
  }
}
