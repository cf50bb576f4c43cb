import { setTimeout as pause } from 'node:timers/promises'
import { AppError, downloadFile, getLog } from '@campanile/contract'
import { sql } from 'kysely'
import type { Kit } from '../../kit/route.ts'
import type { Db } from '../../platform/db.ts'
import type { TaskService } from './task.service.ts'

/** Well within the minute that whoever calls waits for an answer. */
const waitMs = 25_000
const lookEveryMs = 250

interface Sent {
  fileId: number | null
  /** Nothing more will come, or not soon. */
  over: boolean
}

const findSent = async (db: Db, taskId: number): Promise<Sent | undefined> => {
  const { rows } = await sql<Sent>`select c.file_id as "fileId",
      c.state not in ('queued', 'sent', 'acknowledged') or coalesce(s.iot_status = 'offline', true) as over
    from command c left join device_state s on s.device_id = c.device_id where c.task_id = ${taskId}`.execute(db)
  return rows[0]
}

/** An argument of the command is a field of this call. */
const asAsked = (error: unknown): unknown => {
  const field = error instanceof AppError ? error.field?.replace(/^args\./, '') : undefined
  if (!(error instanceof AppError) || field === undefined || field === error.field) return error
  return new AppError({ code: error.code, status: error.status, field }, { ...error.data, field })
}

/** A device's log in one call, for programs: the order, the wait and where the file lies. */
export const mountLog = (kit: Kit, service: Pick<TaskService, 'create'>) =>
  kit.guarded(
    getLog,
    'deviceTask',
    async (call) => {
      const { sn, type, path } = call.input
      // behaviour: values.path
      const folder = path === '' ? '/' : path
      const order = { command: 'uploadLog' as const, args: { type, ...(folder && { path: folder }) }, sns: [sn] }
      const made = await kit.db
        .transaction()
        .execute((tx) => service.create(getLog.perm)({ ...call, db: tx as Db, input: order }))
        .catch((error: unknown) => {
          throw asAsked(error)
        })
      const until = Date.now() + waitMs
      let sent = await findSent(kit.db, made.id)
      while (sent && sent.fileId === null && !sent.over && Date.now() < until) {
        await pause(lookEveryMs)
        sent = await findSent(kit.db, made.id)
      }
      const fileId = sent?.fileId ?? null
      return { taskId: made.taskId, fileUrl: fileId === null ? null : `${downloadFile.path}?id=${fileId}` }
    },
    'noTransaction',
  )
