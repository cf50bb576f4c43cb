import {
  AppError,
  type CommandSpec,
  commandErrors,
  commandMachine,
  commands,
  previewedDevices,
} from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { findRow } from '../../kit/rows.ts'
import type { Table } from '../../kit/table.ts'
import { findBySns } from '../device/index.ts'
import { cancelQueued, findRetriable, findTask, giveUpBegun, requeue } from './command.store.ts'
import { begin } from './effect.ts'
import { scopeOfCommand } from './order.ts'
import { findArgs } from './outbox.store.ts'
import { inWords, refusalsOf } from './refusal.ts'
import { commandChannel } from './sender.ts'
import type { TaskDeps } from './task.service.ts'
import { shiftsOf, toldWindows } from './window.ts'

const retriedStates = { failed: ['failed', 'expired'], cancelled: ['cancelled'], refused: ['refused'] } as const

interface Again {
  id: number
  sns?: string[] | undefined
  only?: keyof typeof retriedStates | null | undefined
  partly?: boolean | null | undefined
  dryRun?: boolean | null | undefined
}

/** What people do with a task that was given: call it off, give it up, try it again. */
export const createTaskChanges = ({ signals, tasks, rules, plans }: TaskDeps) => {
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
    const cancelled = (await plans.callOff(call.db, task.id)) ?? (await cancelQueued(call.db, task.id))
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

  /** What failed, or was called off or refused, on devices the caller may still give this command to. */
  const retry = (list: Table) => async (call: Call<Again>) => {
    const { db, actor, input } = call
    const task = await taskFor(list, call, input.id)
    const scope = scopeOfCommand(actor, task.command)
    const states = input.sns && !input.only ? commandMachine.from('retry') : retriedStates[input.only ?? 'failed']
    const failed = await findRetriable(db, task.id, states, input.sns)
    const devices = await findBySns(
      db,
      scope,
      failed.filter(({ deviceId }) => deviceId !== null).map(({ sn }) => sn),
    )
    const [stored] = await findArgs(db, [task.id])
    const spec: CommandSpec = commands[task.command]
    const given = { name: task.command, spec, args: stored?.args ?? {}, bytes: 0, scope }
    const refused = await refusalsOf(db, rules, given, devices)
    const out = new Set(refused.map(({ data }) => data?.sn))
    const taking = devices.filter(({ sn }) => !out.has(sn))
    if (input.dryRun) {
      call.note({ type: 'read', description: `${task.command} ${task.taskId}` })
      return {
        retried: taking.length,
        online: taking.filter(({ online }) => online).length,
        refused: inWords(refused, call.caller.language),
        first: taking.slice(0, previewedDevices).map(({ sn }) => sn),
        ...(task.inWindow && { windows: toldWindows(await shiftsOf(db, taking), call.scope, () => true) }),
      }
    }
    const [refusal] = refused
    if (refusal && (!input.partly || taking.length === 0)) throw refusal
    const reached = new Set(taking.map(({ id }) => id))
    const again = failed.filter(({ deviceId }) => deviceId !== null && reached.has(deviceId))
    if (again.length === 0) throw new AppError(commandErrors.nothingToRetry)
    await requeue(
      db,
      again.map(({ id }) => id),
      { minutes: spec.waitMinutes, by: actor.id, kind: spec.exclusive?.kind },
    )
    await begin(db, task.command, taking)
    await tasks.reopened(db, task.id)
    await signals.send(db, commandChannel)
    call.note({ description: `${task.command} ${task.taskId}: ${again.map(({ sn }) => sn).join(', ')}` })
    return { retried: again.length }
  }

  return { cancel, giveUp, retry }
}
