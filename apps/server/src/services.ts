import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Gateway } from './gateway/supervise.ts'
import type { Needs } from './kit/needs.ts'
import type { Kit } from './kit/route.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Db } from './platform/db.ts'
import type { Files } from './platform/files.ts'
import type { Jobs } from './platform/jobs.ts'
import type { LiveMessages } from './platform/live-messages.ts'
import type { Notify } from './platform/notify.ts'
import type { Outbox } from './platform/outbox.ts'
import type { RateLimit } from './platform/rate-limit.ts'
import type { Records } from './platform/records.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Settings } from './platform/settings.ts'
import type { Signals } from './platform/signals.ts'

/** What a domain is given to stand on. Made once in `app.ts`. */
export interface Services {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly pool: pg.Pool
  readonly log: Logger
  readonly clock: Clock
  readonly settings: Settings
  readonly rateLimit: RateLimit
  readonly app: FastifyInstance
  readonly kit: Kit
  /** What of every room waits for a person. */
  readonly needs: Needs
  readonly signals: Signals
  readonly jobs: Jobs
  /** Tables that grow without end and are kept by time. */
  readonly records: Records
  readonly files: Files
  /** What happened in a room, for whoever follows it after commit. */
  readonly outbox: Outbox
  readonly notify: Notify
  /** What browsers may say on their live connection. */
  readonly liveMessages: LiveMessages
  /** Figures for `/metrics`. */
  readonly meters: Registry
  readonly gateway: Gateway
}
