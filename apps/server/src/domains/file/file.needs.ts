import { fileNeeds } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { countListed, need } from '../../kit/needs.ts'
import type { Db } from '../../platform/db.ts'
import { exportFiles } from './file.store.ts'

/** What happened before is no news; a file is deleted sooner when somebody has seen to it. */
const newsDays = 7
const since = () => new Date(Date.now() - newsDays * 86_400_000).toISOString().slice(0, 10)

const lately = (filter: Readonly<Record<string, readonly string[]>>) => (db: Db, scope: Scope) =>
  countListed(db, exportFiles, scope, { ...filter, startTime: `${since()}T00:00:00Z` }, sql`t.create_time`)

export const needsOfFiles = [
  need(fileNeeds.exportFailed, lately({ type: ['export'], state: ['abnormal'] })),
  need(fileNeeds.importFailed, lately({ type: ['importResult'], state: ['complete'] })),
]
