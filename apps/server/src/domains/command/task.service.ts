import { AppError, type CommandName, type CommandSpec, commandErrors, commands, type Target } from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { findRow } from '../../kit/rows.ts'
import type { Seal } from '../../platform/seal.ts'
import type { Settings } from '../../platform/settings.ts'
import type { Signals } from '../../platform/signals.ts'
import { errorText } from '../../platform/texts.ts'
import { findBySns, type Known } from '../device/index.ts'
import {
  cancelQueued,
  findRetriable,
  insertCommands,
  insertTask,
  requeue,
  sealArgs,
  type TaskDraft,
} from './command.store.ts'
import { createOrders, hiddenArgs, loggableArgs, type Order, openArgs, scopeOfCommand } from './order.ts'
import { refusalsOf, takenMeanwhile } from './refusal.ts'
import { argsContext, commandChannel } from './sender.ts'
import { resolveTarget } from './target.ts'
import { taskTable } from './task.table.ts'
import type { Tasks } from './task-end.ts'

export interface Wanted {
  command: CommandName
  args: Record<string, unknown>
  target: Target
}

export interface TaskDeps {
  readonly settings: Pick<Settings, 'get'>
  readonly seal: Seal
  readonly signals: Signals
  readonly tasks: Tasks
}

export const createTaskService = ({ settings, seal, signals, tasks }: TaskDeps) => {
  const { order } = createOrders({ settings })

  /** Queues an order for devices its caller may give it to: all of them, or none and the first that refuses is named. */
  const issue = async (
    call: Call,
    given: Order,
    devices: readonly Known[],
    task: Pick<TaskDraft, 'kind' | 'name' | 'description' | 'setting'>,
  ) => {
    const { db, actor, scope } = call
    const [refusal] = await refusalsOf(db, given, devices)
    if (refusal) throw refusal
    const { name: command, spec, args } = given
    const made = await insertTask(db, {
      ...task,
      command,
      args: openArgs(args),
      departmentId: scope.departmentId,
      creatorId: actor.id,
    })
    const hidden = hiddenArgs(args)
    if (hidden) await sealArgs(db, made.id, seal.seal(JSON.stringify(hidden), argsContext(made.id)))
    const waiting = { command, kind: spec.exclusive?.kind, hours: spec.waitHours }
    const taken = await insertCommands(db, made.id, devices, waiting)
    if (taken !== undefined) throw takenMeanwhile(spec, taken)
    await signals.send(db, commandChannel)
    call.note({
      description: `${command}: ${devices.map(({ sn }) => sn).join(', ')}`,
      after: { taskId: made.taskId, args: loggableArgs(args) },
    })
    return { ...made, total: devices.length }
  }

  const create = async (call: Call<Wanted & { name?: string | undefined; description?: string | undefined }>) => {
    const { command, args, target, name, description } = call.input
    const given = await order(call.actor, command, args)
    const devices = await resolveTarget(call.db, given.scope, target)
    return issue(call, given, devices, { kind: command === 'custom' ? 'broker' : 'task', name, description })
  }

  const preview = async ({ db, actor, input, caller }: Call<Wanted>) => {
    const given = await order(actor, input.command, input.args)
    const devices = await resolveTarget(db, given.scope, input.target)
    const refused = await refusalsOf(db, given, devices)
    return {
      total: devices.length,
      online: devices.filter(({ online }) => online).length,
      refused: refused.map(({ code, data }) => ({
        sn: String(data?.sn),
        code,
        message: errorText(code, caller.language, data),
      })),
    }
  }

  const taskFor = ({ db, scope }: Call, id: number) =>
    findRow(db, taskTable, scope, id).catch((error) => {
      throw error instanceof AppError ? new AppError(commandErrors.taskNotFound, { id }) : error
    })

  /** What has been sent can no longer be called back. */
  const cancel = async (call: Call<{ id: number }>) => {
    const task = await taskFor(call, call.input.id)
    const cancelled = await cancelQueued(call.db, task.id)
    if (cancelled === 0) throw new AppError(commandErrors.taskEnded)
    await tasks.touched(call.db, [task.id])
    call.note({ description: `${task.taskId}: ${cancelled}` })
    return { cancelled }
  }

  /** Only what failed, on devices the caller may still give this command to. */
  const retry = async (call: Call<{ id: number; sns?: string[] | undefined }>) => {
    const { db, actor, input } = call
    const task = await taskFor(call, input.id)
    const scope = scopeOfCommand(actor, task.command)
    const failed = await findRetriable(db, task.id, input.sns)
    const devices = await findBySns(
      db,
      scope,
      failed.filter(({ deviceId }) => deviceId !== null).map(({ sn }) => sn),
    )
    const reached = new Map(devices.map((each) => [each.id, each]))
    const again = failed.filter(({ deviceId }) => deviceId !== null && reached.has(deviceId))
    if (again.length === 0) throw new AppError(commandErrors.nothingToRetry)
    const given = { name: task.command, spec: commands[task.command] as CommandSpec, args: {}, scope }
    const [refusal] = await refusalsOf(db, given, devices)
    if (refusal) throw refusal
    await requeue(
      db,
      again.map(({ id }) => id),
      given.spec.waitHours,
    )
    await tasks.reopened(db, task.id)
    await signals.send(db, commandChannel)
    call.note({ description: `${task.taskId}: ${again.map(({ sn }) => sn).join(', ')}` })
    return { retried: again.length }
  }

  return { order, issue, create, preview, cancel, retry }
}

export type TaskService = ReturnType<typeof createTaskService>
