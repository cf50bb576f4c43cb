import { type AppError, commonErrors, deviceErrors } from '@campanile/contract'
import type { AuditLine } from '../platform/audit.ts'

const everyMs = 60_000
const trespasses: readonly number[] = [commonErrors.noPermission.code, deviceErrors.notFound.code]

/** Somebody reached for what is not theirs. */
export const isTrespass = (error: AppError): boolean => trespasses.includes(error.code)

interface Noted {
  /** Not written yet. */
  waiting: number
  line: AuditLine
  until: number
}

/**
 * Reads leave no line where they are refused; who keeps asking for what is not theirs should be seen all the same. The
 * first is written at once, those that follow within a minute together: one line a minute for each account and route.
 */
export const createRefusedReads = (write: (line: AuditLine) => Promise<unknown>, now = Date.now) => {
  const noted = new Map<string, Noted>()

  const put = (key: string, line: AuditLine, count: number) => {
    noted.set(key, { waiting: 0, line, until: now() + everyMs })
    return write({ ...line, type: 'read', description: `× ${count}` })
  }
  const sweep = async (all: boolean) => {
    for (const [key, { waiting, line, until }] of noted) {
      if (!all && until > now()) continue
      noted.delete(key)
      if (waiting > 0) await put(key, line, waiting)
    }
  }
  const timer = setInterval(() => void sweep(false), everyMs)
  timer.unref()

  return {
    note: async (actor: { readonly id: number }, line: AuditLine): Promise<void> => {
      const key = `${actor.id} ${line.route} ${line.code}`
      const before = noted.get(key)
      if (before && before.until > now()) {
        before.waiting += 1
        before.line = line
      } else await put(key, line, (before?.waiting ?? 0) + 1)
    },
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await sweep(true)
    },
  }
}
