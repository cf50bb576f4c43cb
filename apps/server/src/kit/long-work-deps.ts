import type { Db } from '../platform/db.ts'
import type { Files } from '../platform/files.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Notify } from '../platform/notify.ts'
import type { Seal } from '../platform/seal.ts'
import type { Actor } from './actor.ts'
import type { CodeTables } from './export/cells.ts'
import type { FileRecords } from './file-records.ts'

/** What exports and imports need to know and may not know where from. */
export interface LongWorkDeps {
  readonly db: Db
  /** A few connections of its own: reading a million rows must not keep a request waiting. */
  readonly reading: Db
  readonly jobs: Jobs
  readonly files: Files
  readonly records: FileRecords
  readonly notify: Notify
  /** For passwords that wait in a checked file. */
  readonly seal: Seal
  /** Somebody as they are now; null when the account is gone or may no longer sign in. */
  readonly actorOf: (userId: number, operatingDepartmentId: number | null) => Promise<Actor | null>
  readonly codes: (on: Db) => Promise<CodeTables>
  readonly keepDays: () => Promise<number>
  /** Counts a hit and refuses with 100005 when there were too many. */
  readonly limit: (rule: { name: string; limit: number; seconds: number; by: 'person' }, key: string) => Promise<void>
}
