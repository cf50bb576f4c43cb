import {
  AppError,
  type CommandArgs,
  type CommandName,
  type CommandSpec,
  commandErrors,
  commands,
  deviceErrors,
  type MadeTask,
  messageOf,
  type protocol,
  readJsonObject,
} from '@campanile/contract'
import type { Actor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { findRow } from '../../kit/rows.ts'
import type { Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { createAllowance } from '../../platform/haste.ts'
import type { Signals } from '../../platform/signals.ts'
import { errorText } from '../../platform/texts.ts'
import { enterprisesOf, findBySns, type Known, markUnbinding } from '../device/index.ts'
import {
  cancelQueued,
  findRetriable,
  findTask,
  giveUpBegun,
  insertCommands,
  insertTask,
  type Origin,
  requeue,
  sealArgs,
  type TaskDraft,
} from './command.store.ts'
import { createOrder, type Order, scopeOfCommand } from './order.ts'
import { findArgs } from './outbox.store.ts'
import { refusalsOf, stillRunning } from './refusal.ts'
import type { Rules } from './rules.ts'
import { commandChannel } from './sender.ts'
import {
  findTarget,
  findTargets,
  mustStandUnder,
  resolveTarget,
  scopeBelow,
  seatsOf,
  type TargetInput,
} from './target.ts'
import { shownArgs, type TaskArgs } from './task-args.ts'
import type { Tasks } from './task-end.ts'

export interface TaskInput extends TargetInput {
  command: CommandName
  args: Record<string, unknown>
}

interface MessageDraft {
  name: string
  topic: string
  payload: string
  qos: protocol.CommandQos
  sendTime?: string | undefined
}

export interface TaskDeps {
  readonly taskArgs: Pick<TaskArgs, 'seal'>
  readonly signals: Signals
  readonly tasks: Tasks
  readonly rules: Pick<Rules, 'of'>
}

/** Who gives an order: a person by a call, or a room by itself, for a department and what stands below it. */
type Giver = Call | { readonly db: Db; readonly departmentId: number }

/** What a room sends. */
interface RoomOrder<N extends CommandName> {
  readonly command: N
  readonly args: CommandArgs<N>
  readonly devices: { readonly ids: readonly number[] } | TargetInput
  readonly origin: Origin
  /** The department that the row belongs to: its people read what became of it, so the devices stand below it. */
  readonly under?: number | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Not before. */
  readonly due?: string | undefined
}

/** What is known of devices from the moment a command is given, not only when it is done. */
const begin = async (db: Db, command: CommandName, devices: readonly Known[]) => {
  if (command === 'unbind')
    await markUnbinding(
      db,
      devices.map(({ id }) => id),
    )
}

/** Of arguments, for an enterprise: orders are kept for years, and each is handed to devices again and again. */
const bytesAtOnce = 16 * 1024 * 1024
const bytesPerMinute = 512 * 1024

export const createTaskService = ({ taskArgs, signals, tasks, rules }: TaskDeps) => {
  const orderWithin = createOrder(rules)
  const order = (actor: Actor, name: CommandName, args: Record<string, unknown>) =>
    orderWithin(scopeOfCommand(actor, name), name, args)
  const allowance = createAllowance(bytesPerMinute, bytesAtOnce)

  const refuseTooMuch = async (db: Db, departmentId: number, { bytes }: Order) => {
    const owner = (await enterprisesOf(db, [departmentId])).get(departmentId)?.id ?? departmentId
    const retryAfter = allowance.take(owner, bytes)
    if (retryAfter > 0) throw new AppError(commandErrors.tooMuchAtOnce, { retryAfter })
  }

  /** What somebody typed: a name of ours or of their own, and JSON. */
  const orderMessage = (actor: Actor, name: string, text: string | null) => {
    const payload = readJsonObject(text)
    if (!payload) throw new AppError(commandErrors.payloadInvalid)
    const { command, args } = messageOf(name, payload)
    return order(actor, command, args)
  }

  /** Queues an order for devices its caller may give it to: all of them, or none and the first that refuses is named. */
  const queue = async (
    giver: Giver,
    given: Order,
    devices: readonly Known[],
    {
      due,
      ...task
    }: Pick<TaskDraft, 'origin' | 'name' | 'description' | 'qos'> & { readonly due?: string | undefined },
  ) => {
    const { db } = giver
    const call = 'actor' in giver ? giver : undefined
    const departmentId = 'actor' in giver ? giver.scope.departmentId : giver.departmentId
    const [refusal] = await refusalsOf(db, rules, given, devices)
    if (refusal) throw refusal
    await mustStandUnder(db, departmentId, devices)
    const { name: command, spec, args } = given
    const shown = shownArgs(spec, args)
    const tasksMade: MadeTask[] = []
    for (const [seat, own] of await seatsOf(db, given.scope, departmentId, devices)) {
      await refuseTooMuch(db, seat, given)
      const made = await insertTask(db, {
        ...task,
        command,
        args: shown,
        departmentId: seat,
        creatorId: call?.actor.id ?? null,
      })
      const sealed = taskArgs.seal(made.id, args, shown)
      if (sealed) await sealArgs(db, made.id, sealed)
      const waiting = { command, kind: spec.exclusive?.kind, minutes: spec.waitMinutes, due }
      const taken = await insertCommands(db, made.id, own, waiting)
      if (taken !== undefined) throw stillRunning(spec, taken)
      call?.touched(
        own.map(({ sn, path }) => ({ name: sn, path })),
        (sns) => ({ description: `${command}: ${sns.join(', ')}`, after: { taskId: made.taskId, args: shown } }),
      )
      tasksMade.push({ ...made, total: own.length })
    }
    await begin(db, command, devices)
    await signals.send(db, commandChannel)
    const [first] = tasksMade
    if (!first) throw new AppError(commandErrors.noDeviceSelected)
    return { ...first, total: devices.length, ...(tasksMade.length > 1 && { tasks: tasksMade }) }
  }

  /** What another room sends. By a call it is the caller's order: the command's permission is asked for on each device. */
  const issue = async <N extends CommandName>(giver: Giver, asked: RoomOrder<N>): Promise<MadeTask> => {
    const { command, args, devices, under, ...task } = asked
    const scope =
      'actor' in giver ? scopeOfCommand(giver.actor, command) : await scopeBelow(giver.db, giver.departmentId)
    const given = await orderWithin(scope, command, args as Record<string, unknown>)
    const found = 'ids' in devices ? findTargets(giver.db, scope, devices.ids) : resolveTarget(giver.db, scope, devices)
    const meant = await found
    if (under !== undefined) await mustStandUnder(giver.db, under, meant)
    return queue(giver, given, meant, task)
  }

  const create = async (call: Call<TaskInput & { name?: string | undefined; description?: string | undefined }>) => {
    const { command, args, name, description } = call.input
    const given = await order(call.actor, command, args)
    const devices = await resolveTarget(call.db, given.scope, call.input)
    return queue(call, given, devices, { origin: { kind: 'deviceTask' }, name, description })
  }

  /** A message of somebody's own making, at once or from an hour on. */
  const createMessage = async (call: Call<MessageDraft & TargetInput>) => {
    const { name, topic, payload, qos, sendTime } = call.input
    const given = await orderMessage(call.actor, topic, payload)
    const devices = await resolveTarget(call.db, given.scope, call.input)
    return queue(call, given, devices, { origin: { kind: 'brokerTask' }, name, qos, due: sendTime })
  }

  const preview = async ({ db, actor, input, caller }: Call<TaskInput>) => {
    const given = await order(actor, input.command, input.args)
    const { devices, unknown } = await findTarget(db, given.scope, input)
    const refused = [
      ...unknown.map((sn) => new AppError(deviceErrors.notFound, { sn })),
      ...(await refusalsOf(db, rules, given, devices)),
    ]
    const out = new Set(refused.map(({ data }) => data?.sn))
    return {
      total: devices.length + unknown.length,
      online: devices.filter(({ sn, online }) => online && !out.has(sn)).length,
      refused: refused.map(({ code, data }) => ({
        sn: String(data?.sn),
        code,
        message: errorText(code, caller.language, data),
        ...(typeof data?.until === 'string' && { until: data.until }),
      })),
    }
  }

  /** Seen through the list its caller came from, so that one list's permission opens no task of the other. */
  const taskFor = async (list: Table, { db, scope }: Call, id: number) => {
    await findRow(db, list, scope, id).catch((error) => {
      throw error instanceof AppError ? new AppError(commandErrors.taskNotFound, { id }) : error
    })
    return findTask(db, id)
  }

  /** What has been sent can no longer be called back. */
  const cancel = (list: Table) => async (call: Call<{ id: number }>) => {
    const task = await taskFor(list, call, call.input.id)
    const cancelled = await cancelQueued(call.db, task.id)
    if (cancelled === 0) throw new AppError(commandErrors.taskEnded)
    await tasks.touched(call.db, [task.id])
    call.note({ description: `${task.command} ${task.taskId}: ${cancelled}` })
    return { cancelled }
  }

  /** A device that has forgotten a command must not keep people from giving it another. */
  const giveUp = (list: Table) => async (call: Call<{ id: number; sns?: string[] | undefined }>) => {
    const task = await taskFor(list, call, call.input.id)
    const sns = await giveUpBegun(call.db, task.id, call.input.sns)
    if (sns.length === 0) throw new AppError(commandErrors.nothingToGiveUp)
    await tasks.touched(call.db, [task.id])
    call.note({ description: `${task.command} ${task.taskId}: ${sns.join(', ')}` })
    return { givenUp: sns.length }
  }

  /** Only what failed, on devices the caller may still give this command to. */
  const retry = (list: Table) => async (call: Call<{ id: number; sns?: string[] | undefined }>) => {
    const { db, actor, input } = call
    const task = await taskFor(list, call, input.id)
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
    const [stored] = await findArgs(db, [task.id])
    const spec: CommandSpec = commands[task.command]
    const given = { name: task.command, spec, args: stored?.args ?? {}, bytes: 0, scope }
    const [refusal] = await refusalsOf(db, rules, given, devices)
    if (refusal) throw refusal
    await requeue(
      db,
      again.map(({ id }) => id),
      spec.waitMinutes,
      actor.id,
    )
    await begin(db, task.command, devices)
    await tasks.reopened(db, task.id)
    await signals.send(db, commandChannel)
    call.note({ description: `${task.command} ${task.taskId}: ${again.map(({ sn }) => sn).join(', ')}` })
    return { retried: again.length }
  }

  return { order, orderMessage, queue, issue, create, createMessage, preview, cancel, giveUp, retry }
}

export type TaskService = ReturnType<typeof createTaskService>
