import { join } from 'node:path'
import { Registry } from 'prom-client'
import { fileRecords } from './domains/file/index.ts'
import { loadCodeTables } from './domains/system/index.ts'
import { createGateway } from './gateway/supervise.ts'
import { createLongWork } from './kit/long-work.ts'
import type { LongWorkDeps } from './kit/long-work-deps.ts'
import { createLogWriter } from './platform/audit.ts'
import { createDb } from './platform/db.ts'
import { createFiles } from './platform/files.ts'
import { createJobs } from './platform/jobs.ts'
import { createLiveMessages } from './platform/live-messages.ts'
import { createNotify } from './platform/notify.ts'
import { createOutbox } from './platform/outbox.ts'
import { createRecords } from './platform/records.ts'
import { createSeal } from './platform/seal.ts'
import { createSignals } from './platform/signals.ts'
import type { Services } from './services.ts'

/** Exports that read at once, and one more so that a fifth does not wait for a slow first. */
const readers = 5

type WorkDeps = Pick<Services, 'config' | 'secrets' | 'db' | 'pool' | 'log' | 'settings' | 'rateLimit'> &
  Pick<LongWorkDeps, 'actorOf'>

/** What goes on behind the requests: wiring only. */
export const createWork = ({ config, secrets, db, pool, log, settings, rateLimit, actorOf }: WorkDeps) => {
  // The password is a hidden property of these options, so it is copied by name.
  const reading = createDb({ ...pool.options, password: pool.options.password, max: readers })
  const signals = createSignals({ pool, log })
  const jobs = createJobs({ db, signals, log })
  const logWriter = createLogWriter({ db, log })
  const records = createRecords({ db, jobs })
  const files = createFiles(join(config.dataDir, 'files'), config.filesStore)
  const outbox = createOutbox({ db, signals, log })
  const notify = createNotify({ signals, outbox })
  const liveMessages = createLiveMessages()
  const meters = new Registry()
  const gateway = createGateway({ config, log })
  const longWork = createLongWork({
    db,
    reading: reading.db,
    jobs,
    files,
    records: fileRecords,
    notify,
    seal: createSeal(secrets.sealKey),
    actorOf,
    codes: loadCodeTables,
    keepDays: () => settings.get('exportKeepDays'),
    limit: rateLimit.take,
  })
  return {
    signals,
    jobs,
    records,
    files,
    outbox,
    notify,
    liveMessages,
    meters,
    gateway,
    longWork,
    start: async () => {
      await files.start()
      await signals.start()
      if (config.roles.includes('worker')) {
        jobs.start()
        logWriter.start()
        await outbox.start()
      }
      await gateway.start()
    },
    stop: async () => {
      await gateway.stop()
      await jobs.stop()
      await outbox.stop()
      await logWriter.stop()
      await signals.stop()
      await reading.close()
      files.stop()
    },
  }
}
