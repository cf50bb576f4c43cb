import { commandTextKey } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Notify } from '../../platform/notify.ts'
import { settleUnbinding } from '../device/index.ts'

interface Standing {
  id: number
  command: string
  creatorId: number | null
  total: number
  succeeded: number
  failed: number
  cancelled: number
  progress: string
  originKind: string
  ended: boolean
}

/** Who has confirmed, or was waited for in vain, is unbound; who refused, or whose order was taken back, is not. */
const settle = async (db: Db, taskIds: readonly number[]) => {
  const { rows } = await sql<{ deviceId: number; gone: boolean }>`select device_id as "deviceId",
      state in ('done', 'expired') as gone
    from command where task_id = any(${taskIds}) and device_id is not null
      and state in ('done', 'expired', 'failed', 'cancelled')`.execute(db)
  const ids = (wanted: boolean) => rows.filter(({ gone }) => gone === wanted).map(({ deviceId }) => deviceId)
  await settleUnbinding(db, { gone: ids(true), kept: ids(false) })
}

const taskRoute = '/deviceTask/detail'
const brokerRoute = '/device/broker/task'

/** Tells whoever gave a task how it stands, and once when it is over. */
export const createTasks = ({ notify }: { notify: Notify }) => ({
  /** Call it in the transaction that moved commands of these tasks. */
  touched: async (db: Db, taskIds: readonly number[]): Promise<void> => {
    const ids = [...new Set(taskIds)]
    if (ids.length === 0) return
    const { rows } = await sql<Standing>`with over as (
        update device_task set end_time = now() where id = any(${ids}) and waiting = 0 and end_time is null returning id)
      select t.id, t.command, t.creator_id as "creatorId", t.total, t.succeeded, t.failed, t.cancelled, t.progress,
        t.origin_kind as "originKind",
        exists (select from over where over.id = t.id) as ended
      from device_task t where t.id = any(${ids}) order by t.id`.execute(db)
    const unbinding = rows.filter(({ command }) => command === 'unbind').map(({ id }) => id)
    if (unbinding.length > 0) await settle(db, unbinding)
    for (const { id, command, creatorId, total, succeeded, failed, cancelled, progress, originKind, ended } of rows) {
      if (creatorId === null) continue
      await notify.tell(db, [creatorId], { type: 'task', id, total, succeeded, failed, cancelled, progress })
      if (ended)
        await notify.notify(db, [creatorId], {
          type: 'task',
          word: failed > 0 ? 'taskFailed' : cancelled > 0 ? 'taskCancelled' : 'taskDone',
          data: { total, succeeded, failed, cancelled },
          texts: { command: commandTextKey(command) },
          link:
            originKind === 'brokerTask'
              ? `${brokerRoute}/${failed > 0 ? 'fail' : 'success'}/${id}`
              : `${taskRoute}/${id}`,
        })
    }
  },
  /** Begun anew. */
  reopened: (db: Db, taskId: number) => sql`update device_task set end_time = null where id = ${taskId}`.execute(db),
})

export type Tasks = ReturnType<typeof createTasks>
