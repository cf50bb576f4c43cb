import {
  AppError,
  type CommandArgs,
  type CommandName,
  commandErrors,
  commands,
  commonErrors,
  createBrokerTask,
  deviceErrors,
  leftOutNamed,
  type MadeTask,
  mayWaitLonger,
  messageOf,
  plannedDaysMax,
  type protocol,
  readJsonObject,
} from '@campanile/contract'
import { type Actor, type Scope, scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { createAllowance } from '../../platform/haste.ts'
import type { Signals } from '../../platform/signals.ts'
import { enterprisesOf, type Known } from '../device/index.ts'
import type { MaintenanceWindow } from '../organisation/index.ts'
import {
  insertCommands,
  insertRefused,
  insertTask,
  type Origin,
  type Plan,
  type RefusedDevice,
  sealArgs,
  type TaskDraft,
  type Waits,
  withdrawOpen,
} from './command.store.ts'
import { begin } from './effect.ts'
import { createOrder, type Order, scopeOfCommand } from './order.ts'
import { findArgs } from './outbox.store.ts'
import type { PlannedTask, Plans } from './plan.ts'
import { refusalsOf, stillRunning, toldRefusal } from './refusal.ts'
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
import { closedFor, findShift, minutesInWindow, refuseMixedTiming, type Shifts, shiftsOf } from './window.ts'

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
  maintenance?: boolean | undefined
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

/** What becomes one task: those at one place who are told at the same time. */
interface Part {
  readonly devices: readonly Known[]
  readonly waits: Waits
  readonly window?: MaintenanceWindow | undefined
  readonly windowOf?: readonly number[] | undefined
  readonly planned?: { readonly sendTime: string; readonly plan: Plan } | undefined
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
  /** How long it waits for its devices; absent: as long as the command says. */
  readonly minutes?: number | undefined
  /**
   * Those who cannot take it are written down as refused commands of the task, instead of refusing all; a room that gives
   * it by itself is not stopped either when nobody can.
   */
  readonly partly?: boolean | undefined
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

export const createTaskService = ({ taskArgs, signals, tasks, rules, plans }: TaskDeps) => {
  const orderWithin = createOrder(rules)
  const order = (actor: Actor, name: CommandName, args: Record<string, unknown>) =>
    orderWithin(scopeOfCommand(actor, name), name, args)
  const allowance = createAllowance(bytesPerMinute, bytesAtOnce)

  /** Of one enterprise: too much to send within the minute, or too many plans. */
  const refuseTooMuch = async (
    db: Db,
    departmentId: number,
    { bytes }: Order,
    plannedBy: { readonly giverId: number | undefined } | undefined,
  ) => {
    const owner = (await enterprisesOf(db, [departmentId])).get(departmentId)
    const retryAfter = allowance.take(owner?.id ?? departmentId, bytes)
    if (retryAfter > 0) throw new AppError(commandErrors.tooMuchAtOnce, { retryAfter })
    if (plannedBy && owner) await plans.mustFit(db, owner, plannedBy.giverId)
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
    { partly, ...waits }: Waits & { readonly partly: boolean },
  ) => {
    const slow = await insertCommands(db, task.id, taking, { command, kind: spec.exclusive?.kind, ...waits })
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

  /** Who cannot take it as things stand. Who is told later is looked at then; who has no window to be told in never is. */
  const refusedNow = async (
    db: Db,
    given: Order,
    devices: readonly Known[],
    { unknown, inWindow }: { readonly unknown: readonly string[]; readonly inWindow: Shifts | undefined },
  ) => {
    const out = await refusedBy(db, given, { devices: inWindow?.now ?? devices, unknown })
    for (const error of inWindow?.refused ?? []) out.set(String(error.data?.sn), error)
    return out
  }

  /** Those at one place as one task for each window they are told in. */
  const partsOf = (own: readonly Known[], { shifts }: Shifts, { spec }: Order, plan: Plan): Part[] => {
    const here = new Set(own.map(({ id }) => id))
    return shifts
      .map(({ window, of, devices }) => ({ window, of, devices: devices.filter(({ id }) => here.has(id)) }))
      .filter(({ devices }) => devices.length > 0)
      .map(({ window, of, devices }, at) => ({
        window,
        windowOf: [...of.keys()],
        devices,
        waits: { minutes: minutesInWindow(spec), until: window.closes },
        planned: window.open
          ? undefined
          : {
              sendTime: window.opens.toISOString(),
              plan: { ...plan, window: { ids: devices.map(({ id }) => id), rest: at === 0 } },
            },
      }))
  }

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
      maintenance,
      ...task
    }: Pick<TaskDraft, 'origin' | 'name' | 'description' | 'qos'> & {
      readonly due?: string | undefined
      readonly minutes?: number | undefined
      readonly partly?: boolean | undefined
      readonly unknown?: readonly string[]
      readonly planned?: Part['planned']
      /** In their maintenance windows: what is kept for those that are not open. */
      readonly maintenance?: Plan | undefined
    },
  ): Promise<MadeTask> => {
    const { db } = giver
    const call = 'actor' in giver ? giver : undefined
    const departmentId = 'actor' in giver ? giver.scope.departmentId : giver.departmentId
    const inWindow = maintenance && (await shiftsOf(db, devices))
    // Who can take it is looked at when it begins; that nobody has such a serial number is told now.
    const out: ReadonlyMap<string, AppError> = planned
      ? new Map(unknown.map((sn) => [sn, new AppError(deviceErrors.notFound, { sn })]))
      : await refusedNow(db, given, devices, { unknown, inWindow })
    const later = planned ? devices : (inWindow?.later ?? [])
    const outLater = await refusedBy(db, given, { devices: later, unknown: [] }, { later: true })
    const [refusal] = out.values()
    const nobody = devices.every(({ sn }) => out.has(sn))
    if (refusal && (!partly || (nobody && call))) throw refusal
    await mustStandUnder(db, departmentId, devices)
    const { name: command, spec, args } = given
    const shown = shownArgs(spec, args)
    const tasksMade: MadeTask[] = []
    const left = [...out.values()]
    let strangers = unknown.map((sn) => ({ sn, code: deviceErrors.notFound.code }))
    const make = async (seat: number, part: Part, refused: readonly RefusedDevice[]) => {
      // Those who could not take it as things stand are looked at again when it begins; it is not for nobody until then.
      const total = part.devices.filter(({ sn }) => !outLater.has(sn)).length || part.devices.length
      await refuseTooMuch(db, seat, given, part.planned && { giverId: call?.actor.id })
      const made = await insertTask(db, {
        ...task,
        command,
        args: shown,
        departmentId: seat,
        creatorId: call?.actor.id ?? null,
        planned: part.planned && { ...part.planned, devices: part.devices, total },
        window: part.window,
        windowOf: part.windowOf,
      })
      const sealed = taskArgs.seal(made.id, args, shown)
      if (sealed) await sealArgs(db, made.id, sealed)
      call?.touched(
        part.devices.map(({ sn, path }) => ({ name: sn, path })),
        (sns) => ({ description: `${command}: ${sns.join(', ')}`, after: { taskId: made.taskId, args: shown } }),
      )
      if (part.planned) {
        const { sendTime } = part.planned
        await plans.add(db, made.id, sendTime)
        return { ...made, total, sendTime }
      }
      const taking = part.devices.filter(({ sn }) => !out.has(sn))
      const all = [...refused, ...strangers]
      strangers = []
      const filled = await fill(db, { id: made.id, departmentId: seat }, given, taking, all, { ...part.waits, partly })
      left.push(...filled.late.map(({ sn }) => stillRunning(spec, sn)))
      return { ...made, total: filled.total, ...(filled.refused > 0 && { refused: filled.refused }) }
    }
    for (const [seat, own] of await seatsOf(db, given.scope, departmentId, devices)) {
      const whole = { devices: own, waits: { minutes, due }, planned }
      const parts = inWindow ? partsOf(own, inWindow, given, maintenance) : [whole]
      const told = new Set(parts.flatMap((part) => part.devices.map(({ id }) => id)))
      const nowhere = own.filter(({ id }) => !told.has(id))
      for (const [at, part] of parts.entries())
        tasksMade.push(await make(seat, part, asRefused(out, at === 0 ? [...part.devices, ...nowhere] : part.devices)))
    }
    await signals.send(db, commandChannel)
    const [first] = tasksMade
    if (!first) throw new AppError(commandErrors.noDeviceSelected)
    return {
      ...first,
      total: tasksMade.reduce((all, each) => all + each.total, 0),
      ...(left.length > 0 && { refused: left.length }),
      ...(call &&
        left.length > 0 && {
          refusedDevices: left.slice(0, leftOutNamed).map((error) => toldRefusal(error, call.caller.language)),
        }),
      ...(tasksMade.length > 1 && { tasks: tasksMade }),
    }
  }

  /** Of those at its place, whom a task means that is not for a window, or is for one. */
  const meantIn = async (
    db: Db,
    { plan, ...task }: PlannedTask,
    here: readonly Known[],
    unknown: readonly string[],
  ) => {
    const { window } = plan
    if (!window) return { own: here, unknown, closed: new Map<string, AppError>(), until: undefined }
    const { own, out, until } = await findShift(db, { ...task, window }, here)
    return { own, unknown: window.rest ? unknown : [], closed: out, until }
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
    const here = (await seatsOf(db, given.scope, home, devices)).get(task.departmentId) ?? []
    const meant = await meantIn(db, task, here, unknown)
    const { own, closed } = meant
    if (own.length + meant.unknown.length === 0) throw new AppError(commandErrors.noDeviceSelected)
    if (own.length > 0 && own.every(({ sn }) => closed.has(sn))) throw closedFor(closed.values())
    return { given, ...meant }
  }

  /** The time has come. */
  const beginPlanned = async (db: Db, task: PlannedTask, actor: Actor | null) => {
    const { plan } = task
    const { given, own, unknown, closed, until } = await meantBy(db, task, actor)
    const { spec } = given
    const out = new Map([...(await refusedBy(db, given, { devices: own, unknown })), ...closed])
    const strangers = unknown.map((sn) => ({ sn, code: deviceErrors.notFound.code }))
    await plans.begin(db, task.id, until)
    const taking = own.filter(({ sn }) => !out.has(sn))
    const minutes = plan.window ? minutesInWindow(spec) : (plan.waitMinutes ?? spec.waitMinutes)
    const refused = [...asRefused(out, own), ...strangers]
    await fill(db, task, given, taking, refused, { minutes, until, partly: true })
    await tasks.touched(db, [task.id])
    await signals.send(db, commandChannel)
  }

  /** How it would go if it began as things stand; what is under way now will have ended by then. */
  const outlook = async (db: Db, task: PlannedTask, actor: Actor | null) => {
    const { given, own, unknown, closed } = await meantBy(db, task, actor)
    const out = await refusedBy(db, given, { devices: own, unknown }, { later: true })
    return { devices: own, unknown, out: new Map([...out, ...closed]) }
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

  /** Why some of these could not take a command now. */
  const refusals = async <N extends CommandName>(
    db: Db,
    scope: Scope,
    { command, args }: Pick<RoomOrder<N>, 'command' | 'args'>,
    devices: readonly Known[],
  ): Promise<AppError[]> =>
    refusalsOf(db, rules, await orderWithin(scope, command, args as Record<string, unknown>), devices)

  /** What was given is not waited for any more. */
  const withdraw = async (db: Db, ids: readonly number[]): Promise<void> => {
    if (ids.length > 0) await tasks.touched(db, await withdrawOpen(db, ids))
  }

  type TimedTarget = TargetInput & Timing
  /** What is to happen now, or what is kept until its time has come. */
  const timed = ({ actor, input }: Call<TimedTarget>, given: Order, perm: string) => {
    const { sns, groupId, filter, except, targets, without, waitMinutes, sendTime, partly } = input
    refuseMixedTiming(input)
    if (waitMinutes !== undefined && waitMinutes > given.spec.waitMinutes && !mayWaitLonger(given.spec))
      throw new AppError({ ...commonErrors.wrongFormat, field: 'waitMinutes' }, { field: 'waitMinutes' })
    refuseOutOfReach(sendTime)
    const target = { sns, groupId, filter, except, targets, without }
    const plan = { target, waitMinutes, perm, operating: actor.operating?.id ?? null }
    if (input.maintenance) return { maintenance: plan, partly }
    if (sendTime === undefined || Date.parse(sendTime) <= Date.now()) return { minutes: waitMinutes, partly }
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

  return {
    order,
    orderMessage,
    queue,
    beginPlanned,
    outlook,
    issue,
    refusals,
    withdraw,
    create,
    createMessage,
  }
}

export type TaskService = ReturnType<typeof createTaskService>
