import {
  AppError,
  type CommandArgs,
  type CommandName,
  type CommandSpec,
  commandErrors,
  commands,
  commonErrors,
  createBrokerTask,
  device,
  deviceDetail,
  deviceErrors,
  type MadeTask,
  mayWaitLonger,
  messageOf,
  plannedDaysMax,
  previewedDevices,
  type protocol,
  readJsonObject,
} from '@campanile/contract'
import { type Actor, covers, scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { createAllowance } from '../../platform/haste.ts'
import type { Signals } from '../../platform/signals.ts'
import { enterprisesOf, type Known } from '../device/index.ts'
import {
  insertCommands,
  insertRefused,
  insertTask,
  type Origin,
  type Plan,
  type RefusedDevice,
  sealArgs,
  type TaskDraft,
} from './command.store.ts'
import { begin } from './effect.ts'
import { createOrder, type Order, scopeOfCommand } from './order.ts'
import { findArgs } from './outbox.store.ts'
import type { PlannedTask, Plans } from './plan.ts'
import { inWords, refusalsOf, stillRunning, toldRefusal } from './refusal.ts'
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
import { countFacts, findApps, findLastThere } from './target-facts.store.ts'
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
}

/** When it is sent, how long it waits, and whether those who cannot take it are left out. */
interface Timing {
  sendTime?: string | undefined
  waitMinutes?: number | undefined
  partly?: boolean | undefined
}

export interface TaskDeps {
  readonly taskArgs: Pick<TaskArgs, 'seal' | 'open'>
  readonly signals: Signals
  readonly tasks: Tasks
  readonly rules: Pick<Rules, 'of'>
  readonly plans: Plans
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

/** Clocks differ and forms take their time: what has just passed means now. */
const justPassedMs = 10 * 60_000
const dayMs = 86_400_000
const refuseOutOfReach = (sendTime: string | undefined) => {
  const ahead = sendTime === undefined ? 0 : Date.parse(sendTime) - Date.now()
  if (ahead < -justPassedMs || ahead > plannedDaysMax * dayMs)
    throw new AppError(commandErrors.timeOutOfReach, { days: plannedDaysMax })
}

/** Of arguments, for an enterprise: orders are kept for years, and each is handed to devices again and again. */
const bytesAtOnce = 16 * 1024 * 1024
const bytesPerMinute = 512 * 1024

const appPerms = [
  deviceDetail.perm,
  ...Object.values<CommandSpec>(commands).flatMap(({ perm, apps }) => (apps ? [perm] : [])),
]

export const createTaskService = ({ taskArgs, signals, tasks, rules, plans }: TaskDeps) => {
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

  /** What each seat's task holds: its commands, and those that could not take it. */
  const fill = async (
    db: Db,
    task: { readonly id: number; readonly departmentId: number },
    { name: command, spec }: Order,
    taking: readonly Known[],
    refused: readonly RefusedDevice[],
    { minutes, due, partly }: { minutes: number; due?: string | undefined; partly: boolean },
  ) => {
    const slow = await insertCommands(db, task.id, taking, { command, kind: spec.exclusive?.kind, minutes, due })
    const [taken] = slow
    if (taken && !partly) throw stillRunning(spec, taken.sn)
    const late = slow.map((device) => ({ sn: device.sn, device, code: stillRunning(spec, device.sn).code }))
    const out = [...refused, ...late]
    if (out.length > 0) await insertRefused(db, { ...task, command }, out)
    const gone = new Set(slow.map(({ sn }) => sn))
    await begin(
      db,
      command,
      taking.filter(({ sn }) => !gone.has(sn)),
    )
    return { total: taking.length - slow.length, refused: out.length, late }
  }

  /** Refusals by serial, of devices that are there and of serial numbers that name none. */
  const refusedBy = async (
    db: Db,
    given: Order,
    { devices, unknown }: { readonly devices: readonly Known[]; readonly unknown: readonly string[] },
    when?: { readonly later: boolean },
  ) =>
    new Map([
      ...unknown.map((sn) => [sn, new AppError(deviceErrors.notFound, { sn })] as const),
      ...(await refusalsOf(db, rules, given, devices, when)).map((error) => [String(error.data?.sn), error] as const),
    ])
  const asRefused = (out: ReadonlyMap<string, AppError>, devices: readonly Known[]): RefusedDevice[] =>
    devices.flatMap((device) => {
      const error = out.get(device.sn)
      return error ? [{ sn: device.sn, device, code: error.code }] : []
    })

  /**
   * Queues an order for devices its caller may give it to: all of them, or none and the first that refuses is named; where
   * it may go to a part, those that refuse are written down.
   */
  const queue = async (
    giver: Giver,
    given: Order,
    devices: readonly Known[],
    {
      due,
      minutes = given.spec.waitMinutes,
      partly = false,
      unknown = [],
      planned,
      ...task
    }: Pick<TaskDraft, 'origin' | 'name' | 'description' | 'qos'> & {
      readonly due?: string | undefined
      readonly minutes?: number | undefined
      readonly partly?: boolean | undefined
      readonly unknown?: readonly string[]
      readonly planned?: { readonly sendTime: string; readonly plan: Plan } | undefined
    },
  ): Promise<MadeTask> => {
    const { db } = giver
    const call = 'actor' in giver ? giver : undefined
    const departmentId = 'actor' in giver ? giver.scope.departmentId : giver.departmentId
    const out = planned ? new Map<string, AppError>() : await refusedBy(db, given, { devices, unknown })
    const [refusal] = out.values()
    const nobody = devices.every(({ sn }) => out.has(sn))
    if (refusal && (!partly || nobody)) throw refusal
    await mustStandUnder(db, departmentId, devices)
    const { name: command, spec, args } = given
    const shown = shownArgs(spec, args)
    const tasksMade: MadeTask[] = []
    const left = [...out.values()]
    let strangers = unknown.map((sn) => ({ sn, code: deviceErrors.notFound.code }))
    for (const [seat, own] of await seatsOf(db, given.scope, departmentId, devices)) {
      await refuseTooMuch(db, seat, given)
      const made = await insertTask(db, {
        ...task,
        command,
        args: shown,
        departmentId: seat,
        creatorId: call?.actor.id ?? null,
        planned: planned && { ...planned, total: own.length },
      })
      const sealed = taskArgs.seal(made.id, args, shown)
      if (sealed) await sealArgs(db, made.id, sealed)
      call?.touched(
        own.map(({ sn, path }) => ({ name: sn, path })),
        (sns) => ({ description: `${command}: ${sns.join(', ')}`, after: { taskId: made.taskId, args: shown } }),
      )
      if (planned) {
        await plans.add(db, made.id, planned.sendTime)
        tasksMade.push({ ...made, total: own.length })
        continue
      }
      const taking = own.filter(({ sn }) => !out.has(sn))
      const refused = [...asRefused(out, own), ...strangers]
      strangers = []
      const filled = await fill(db, { id: made.id, departmentId: seat }, given, taking, refused, {
        minutes,
        due,
        partly,
      })
      left.push(...filled.late.map(({ sn }) => stillRunning(spec, sn)))
      tasksMade.push({ ...made, total: filled.total, ...(filled.refused > 0 && { refused: filled.refused }) })
    }
    await signals.send(db, commandChannel)
    const [first] = tasksMade
    if (!first) throw new AppError(commandErrors.noDeviceSelected)
    const sum = (figure: 'total' | 'refused') => tasksMade.reduce((all, each) => all + (each[figure] ?? 0), 0)
    return {
      ...first,
      total: sum('total'),
      ...(sum('refused') > 0 && { refused: sum('refused') }),
      ...(call && left.length > 0 && { refusedDevices: left.map((error) => toldRefusal(error, call.caller.language)) }),
      ...(tasksMade.length > 1 && { tasks: tasksMade }),
    }
  }

  /** Whom a planned task means: whoever planned it is asked for anew, and so are the devices. */
  const meantBy = async (db: Db, task: PlannedTask, actor: Actor | null) => {
    const { plan, command } = task
    const perms = [plan.perm, commands[command].perm]
    const missing = perms.find((perm) => !actor || (perm !== 'signedIn' && !scopeFor(actor, perm)))
    if (!actor || missing !== undefined) throw new AppError(commonErrors.noPermission, { permission: missing ?? '' })
    const [stored] = await findArgs(db, [task.id])
    const given = await order(actor, command, stored ? taskArgs.open(stored) : {})
    const { devices, unknown } = await findTarget(db, given.scope, plan.target)
    const home = (actor.operating ?? actor.department).id
    await mustStandUnder(db, home, devices)
    const own = (await seatsOf(db, given.scope, home, devices)).get(task.departmentId) ?? []
    if (own.length + unknown.length === 0) throw new AppError(commandErrors.noDeviceSelected)
    return { given, own, unknown }
  }

  /** The time has come. */
  const beginPlanned = async (db: Db, task: PlannedTask, actor: Actor | null) => {
    const { plan } = task
    const { given, own, unknown } = await meantBy(db, task, actor)
    const out = await refusedBy(db, given, { devices: own, unknown })
    const strangers = unknown.map((sn) => ({ sn, code: deviceErrors.notFound.code }))
    await plans.begin(db, task.id)
    const taking = own.filter(({ sn }) => !out.has(sn))
    const minutes = plan.waitMinutes ?? given.spec.waitMinutes
    await fill(db, task, given, taking, [...asRefused(out, own), ...strangers], { minutes, partly: true })
    await tasks.touched(db, [task.id])
    await signals.send(db, commandChannel)
  }

  /** How it would go if it began as things stand; what is under way now will have ended by then. */
  const outlook = async (db: Db, task: PlannedTask, actor: Actor | null) => {
    const { given, own, unknown } = await meantBy(db, task, actor)
    return { devices: own, unknown, out: await refusedBy(db, given, { devices: own, unknown }, { later: true }) }
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

  type TimedTarget = TargetInput & Timing
  /** What is to happen now, or what is kept until its time has come. */
  const timed = ({ actor, input }: Call<TimedTarget>, given: Order, perm: string) => {
    const { sns, groupId, filter, except, targets, without, waitMinutes, sendTime, partly } = input
    if (waitMinutes !== undefined && waitMinutes > given.spec.waitMinutes && !mayWaitLonger(given.spec))
      throw new AppError({ ...commonErrors.wrongFormat, field: 'waitMinutes' }, { field: 'waitMinutes' })
    refuseOutOfReach(sendTime)
    if (sendTime === undefined || Date.parse(sendTime) <= Date.now()) return { minutes: waitMinutes, partly }
    const target = { sns, groupId, filter, except, targets, without }
    const plan = { target, waitMinutes, perm, operating: actor.operating?.id ?? null }
    return { planned: { sendTime, plan }, partly }
  }
  const devicesOf = async ({ db, input }: Call<TimedTarget>, { scope }: Order) => {
    const { devices, unknown } = await findTarget(db, scope, input)
    if (unknown[0] !== undefined && !input.partly) throw new AppError(deviceErrors.notFound, { sn: unknown[0] })
    return { devices, unknown }
  }

  /** By a door with a permission of its own, which is asked for again where the task begins later. */
  const create =
    (perm: string) =>
    async (call: Call<TaskInput & Timing & { name?: string | undefined; description?: string | undefined }>) => {
      const { command, args, name, description } = call.input
      const given = await order(call.actor, command, args)
      const { devices, unknown } = await devicesOf(call, given)
      const timing = timed(call, given, perm)
      const task = { origin: { kind: 'deviceTask' as const }, name, description, unknown, ...timing }
      return queue(call, given, devices, task)
    }

  /** A message of somebody's own making, at once or from an hour on. */
  const createMessage = async (call: Call<MessageDraft & TimedTarget>) => {
    const { name, topic, payload, qos } = call.input
    const given = await orderMessage(call.actor, topic, payload)
    const { devices, unknown } = await devicesOf(call, given)
    const timing = timed(call, given, createBrokerTask.perm)
    const task = { origin: { kind: 'brokerTask' as const }, name, qos, unknown, ...timing }
    return queue(call, given, devices, task)
  }

  const preview = async ({ db, actor, input, caller }: Call<TaskInput & { sendTime?: string | undefined }>) => {
    const given = await order(actor, input.command, input.args)
    const { devices, unknown } = await findTarget(db, given.scope, input)
    const refused = [
      ...unknown.map((sn) => new AppError(deviceErrors.notFound, { sn })),
      ...(await refusalsOf(db, rules, given, devices, { later: input.sendTime !== undefined })),
    ]
    const out = new Set(refused.map(({ data }) => data?.sn))
    const first = devices.filter(({ sn }) => !out.has(sn)).slice(0, previewedDevices)
    const since = await findLastThere(
      db,
      first.map(({ id }) => id),
    )
    return {
      first: first.map(({ id, sn, departmentName, online }) => ({
        sn,
        departmentName,
        online,
        since: online ? null : (since.get(id) ?? null),
      })),
      total: devices.length + unknown.length,
      online: devices.filter(({ sn, online }) => online && !out.has(sn)).length,
      refused: inWords(refused, caller.language),
    }
  }

  /** Who is meant, by whoever may see devices, or may give them the command that is thought of. */
  const look = async ({ db, actor, input }: Call<TargetInput & { command?: CommandName | undefined }>) => {
    const { perm } = input.command ? commands[input.command] : { perm: device.perms.list }
    const scope = scopeFor(actor, perm)
    if (!scope) throw new AppError(commonErrors.noPermission, { permission: perm })
    const { devices, unknown, each } = await findTarget(db, scope, input)
    const ids = devices.map(({ id }) => id)
    // What is on a device is for those who may open its page, or tell it something about an app.
    const scopes = appPerms.map((each) => scopeFor(actor, each)).filter((each) => each !== null)
    const open = devices.filter(({ path }) => scopes.some((each) => covers(each, path)))
    return {
      total: devices.length + unknown.length,
      online: devices.filter(({ online }) => online).length,
      each,
      ...(await countFacts(db, ids)),
      apps: await findApps(
        db,
        open.map(({ id }) => id),
      ),
    }
  }

  return {
    order,
    orderMessage,
    queue,
    beginPlanned,
    outlook,
    issue,
    create,
    createMessage,
    preview,
    look,
  }
}

export type TaskService = ReturnType<typeof createTaskService>
