import {
  AppError,
  type CommandName,
  commandErrors,
  commonErrors,
  plannedAtOnce,
  plannedTasksMax,
  plannedTasksOfOne,
} from '@campanile/contract'
import { sql } from 'kysely'
import { type Actor, covers, type Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import { fenced } from '../../platform/fence.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { Known } from '../device/index.ts'
import type { Plan } from './command.store.ts'
import type { Tasks } from './task-end.ts'

/** A task whose time has come. */
export interface PlannedTask {
  readonly id: number
  readonly departmentId: number
  readonly command: CommandName
  readonly creatorId: number | null
  readonly plan: Plan
  readonly sendTime: string
  /** Of the maintenance window it waits for. */
  readonly hours: string | null
  readonly days: readonly number[] | null
  readonly end: string | null
}

const job = 'beginning planned tasks'
/** "plan" */
const planLock = 0x706c616e

/** Of a task that has not begun. */
const findPlanned = async (db: Db, id: number, held = sql``): Promise<PlannedTask | undefined> =>
  (
    await sql<PlannedTask>`select id, department_id as "departmentId", command, creator_id as "creatorId", plan,
      send_time as "sendTime", maintenance_window as hours, maintenance_days as days, maintenance_end as "end"
      from device_task where id = ${id} and plan is not null ${held}`.execute(db)
  ).rows[0]
const lock = (db: Db, id: number) => findPlanned(db, id, sql`for update`)

/** It will not begin: nobody was told, and the code says why. */
const giveUp = (db: Db, id: number, code: number) =>
  sql`update device_task set plan = null, failed = total, refusal = ${code}
    where id = ${id} and plan is not null`.execute(db)

/** Tasks that begin later. Nothing of them waits for a device before, so they bar no other command until then. */
export const createPlans = ({ jobs }: { readonly jobs: Pick<Jobs, 'enqueue'> }) => ({
  /** Holds up other plans of the enterprise until this one is written down. */
  mustFit: async (db: Db, enterprise: { readonly id: number; readonly path: string }, giverId: number | undefined) => {
    await sql`select pg_advisory_xact_lock(${planLock}, ${enterprise.id}::integer)`.execute(db)
    const { rows } = await sql<{
      waiting: number
      own: number
    }>`select planned_below(${enterprise.path}::ltree) as waiting,
      (select count(*) from device_task where plan is not null and creator_id = ${giverId ?? null}) as own`.execute(db)
    const { waiting = 0, own = 0 } = rows[0] ?? {}
    if (own >= plannedTasksOfOne) throw new AppError(commandErrors.tooManyOwnPlanned, { limit: plannedTasksOfOne })
    if (waiting >= plannedTasksMax) throw new AppError(commandErrors.tooManyPlanned, { limit: plannedTasksMax })
  },
  add: (db: Db, taskId: number, sendTime: string) => jobs.enqueue(db, job, { taskId }, { runAt: new Date(sendTime) }),
  /** From now on its figures are those of its commands; `until`: when the window closes that it waited for. */
  begin: (db: Db, id: number, until: Date | undefined) =>
    sql`update device_task set plan = null, planned_in = null, total = 0,
        maintenance_end = coalesce(${until?.toISOString() ?? null}, maintenance_end) where id = ${id}`.execute(db),
  /** Answers for how many it was meant; nothing where it is no plan any more. */
  callOff: async (db: Db, id: number): Promise<number | undefined> =>
    (
      await sql<{ total: number }>`update device_task set plan = null, cancelled = total
        where id = ${id} and plan is not null returning total`.execute(db)
    ).rows[0]?.total,
})
export type Plans = ReturnType<typeof createPlans>

type ActorOf = (userId: number, operating: number | null) => Promise<Actor | null>

interface Outlook {
  readonly devices: readonly Known[]
  readonly unknown: readonly string[]
  /** Who would be refused, by serial number. */
  readonly out: ReadonlyMap<string, AppError>
}
interface OutlookDeps {
  readonly actorOf: ActorOf
  readonly outlook: (db: Db, task: PlannedTask, actor: Actor | null) => Promise<Outlook>
}

const nobody = { receiving: 0, refused: 0, refusal: null, total: 0, rows: [] }

/**
 * Whom a planned task means as they stand now, for somebody who reads the task: of its devices, those in their reach. It is
 * looked up as far as its giver reaches. Serial numbers that name no device of theirs are told to the giver alone, who
 * entered them: to anybody else they would be those of devices they may not see.
 */
export const createPlanReader = ({ actorOf, outlook }: OutlookDeps) => {
  const look = async (db: Db, task: PlannedTask) => {
    const actor = task.creatorId === null ? null : await actorOf(task.creatorId, task.plan.operating)
    return outlook(db, task, actor).catch((error) => {
      if (error instanceof AppError) return error.code
      throw error
    })
  }
  const strangersFor = (scope: Scope, { creatorId }: PlannedTask, unknown: readonly string[]) =>
    creatorId === scope.actorId ? unknown : []
  return async (db: Db, scope: Scope, { id, page }: { readonly id: number; readonly page: number }) => {
    const task = await findPlanned(db, id)
    if (!task) return nobody
    const seen = await fenced(undefined, () => look(db, task))
    if (typeof seen === 'number') return { ...nobody, refusal: seen }
    const { devices, out } = seen
    const unknown = strangersFor(scope, task, seen.unknown)
    const refused = out.size - (seen.unknown.length - unknown.length)
    const named = [
      ...unknown.map((sn) => ({ sn, departmentName: '', online: false })),
      ...devices.filter(({ path }) => covers(scope, path)),
    ].map(({ sn, departmentName, online }) => ({ sn, departmentName, online, code: out.get(sn)?.code ?? null }))
    const rows = [...named.filter(({ code }) => code !== null), ...named.filter(({ code }) => code === null)]
    return {
      receiving: devices.length + unknown.length - refused,
      refused,
      refusal: null,
      total: rows.length,
      rows: rows.slice((page - 1) * plannedAtOnce, page * plannedAtOnce),
    }
  }
}

interface Deps {
  readonly db: Db
  readonly jobs: Pick<Jobs, 'register'>
  readonly tasks: Tasks
  /** Whoever planned it, as they are now. */
  readonly actorOf: ActorOf
  readonly begin: (db: Db, task: PlannedTask, actor: Actor | null) => Promise<void>
}

/** Begins what was planned, when its time has come; what may not begin ends with the reason. */
export const startPlans = ({ db, jobs, tasks, actorOf, begin }: Deps) => {
  const end = (taskId: number, code: number) =>
    db.transaction().execute(async (tx) => {
      await giveUp(tx as Db, taskId, code)
      await tasks.touched(tx as Db, [taskId])
    })
  jobs.register<{ taskId: number }>(job, {
    atOnce: 4,
    run: async ({ taskId }) => {
      try {
        await db.transaction().execute(async (transaction) => {
          const tx = transaction as Db
          const task = await lock(tx, taskId)
          if (!task) return
          const { creatorId, plan } = task
          await begin(tx, task, creatorId === null ? null : await actorOf(creatorId, plan.operating))
        })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        await end(taskId, error.code)
      }
    },
    gaveUp: ({ taskId }) => end(taskId, commonErrors.serverError.code),
  })
}
