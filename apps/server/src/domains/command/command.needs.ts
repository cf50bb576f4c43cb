import { commandNeeds, commandReasons, commandTextKey } from '@campanile/contract'
import { sql } from 'kysely'
import { type FoundNeed, need } from '../../kit/needs.ts'
import { reaches } from '../../kit/scope.ts'

/** What failed before is no news, and more than these are found in the list of tasks. */
const newsDays = 3
const mostTasks = 4
const states = ['failed', 'expired']

interface FailedTask {
  taskId: number
  number: string
  command: string
  total: number
  count: number
  since: string
  reason: string | null
}

/** Devices of each task that failed, as far as the caller may see them and open the task. */
export const needsOfTasks = [
  need(commandNeeds.failed, async (db, scope) => {
    const { rows } = await sql<FailedTask>`select k.id as "taskId", k.command, k.total,
        to_char(k.create_time, 'YYYYMMDD') || '-' || k.number as number, n.count, n.since, n.reason
      from (select t.task_id, count(*) as count, min(t.end_time) as since,
          mode() within group (order by t.reason) as reason
        from device_task recent join command t on t.task_id = recent.id
          join department d on d.id = t.department_id
          join department home on home.id = recent.department_id
        where recent.end_time > now() - ${newsDays} * interval '1 day' and recent.failed > 0 and recent.origin_kind <> 'release'
          and t.state = any(${states}) and ${reaches(scope, sql`d.path`)}
          and ${reaches(scope, sql`home.path`)}
        group by t.task_id) n join device_task k on k.id = n.task_id
      order by n.since desc limit ${mostTasks}`.execute(db)
    return rows.map(
      ({ taskId, number, command, total, count, since, reason }): FoundNeed => ({
        count,
        since,
        filter: { taskId, state: states },
        words: { number, name: commandTextKey(command), total, ...(reason !== null && { reason }) },
        cause: reason === null ? 'causeNone' : Object.hasOwn(commandReasons, reason) ? 'cause' : 'causeTold',
      }),
    )
  }),
]
