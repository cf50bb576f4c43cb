import { join } from 'node:path'
import type { AppDeps } from './app.ts'
import { loadCodeTables } from './domains/system/index.ts'
import { createLongWork, type LongWorkDeps } from './kit/long-work.ts'
import { createDb } from './platform/db.ts'
import { createFiles } from './platform/files.ts'
import { createJobs } from './platform/jobs.ts'
import { createNotify } from './platform/notify.ts'
import { createSignals } from './platform/signals.ts'

/** Exports that read at once, and one more so that a fifth does not wait for a slow first. */
const readers = 5

type Known = Pick<LongWorkDeps, 'actorOf' | 'keepDays' | 'limit'>

/** What goes on behind the requests: wiring only. */
export const createWork = (
  { config, db, pool, log }: Pick<AppDeps, 'config' | 'db' | 'pool' | 'log'>,
  known: Known,
) => {
  // The password is a hidden property of these options, so it is copied by name.
  const reading = createDb({ ...pool.options, password: pool.options.password, max: readers })
  const signals = createSignals({ pool, log })
  const jobs = createJobs({ db, signals, log })
  const files = createFiles(join(config.dataDir, 'files'))
  const notify = createNotify(signals)
  const codes = () => loadCodeTables(db)
  const longWork = createLongWork({ db, reading: reading.db, jobs, files, notify, codes, ...known })
  return {
    signals,
    jobs,
    files,
    notify,
    longWork,
    start: async () => {
      await files.start()
      await signals.start()
      if (config.roles.includes('worker')) jobs.start()
    },
    stop: async () => {
      await jobs.stop()
      await signals.stop()
      await reading.close()
    },
  }
}
