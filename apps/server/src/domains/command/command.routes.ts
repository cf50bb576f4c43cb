import {
  brokerFailureDetail,
  brokerSuccessDetail,
  type CommandName,
  commandReasons,
  createBrokerTask,
  createTask,
  deviceCommands,
  giveCommand,
  lookAtTargets,
  type MadeTask,
  plannedDevices,
  plannedMessageDevices,
  previewTask,
  queryLogDetail,
  runBatch,
  taskDetail,
  taskDeviceDetail,
  uploadCommandFile,
} from '@campanile/contract'
import { PartialAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import { findRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import { createSeal } from '../../platform/seal.ts'
import type { Services } from '../../services.ts'
import type { device } from '../device/index.ts'
import { createActorOf } from '../identity/index.ts'
import { expireOverdue, failOf, findAttempts, findBusy } from './command.store.ts'
import { commandsOfDevices } from './device-extension.ts'
import { createEffects, ownEffects } from './effect.ts'
import { createFollowers } from './follow.ts'
import { mountLog } from './log.routes.ts'
import { createMessageIds } from './message-id.ts'
import { createOwnChecks } from './order.ts'
import { findArgs } from './outbox.store.ts'
import { createPlanReader, createPlans, startPlans } from './plan.ts'
import { createReplies } from './reply.service.ts'
import type { Moved } from './reply.store.ts'
import { createRules } from './rules.ts'
import { createSender } from './sender.ts'
import { mountSettings } from './setting.routes.ts'
import { createTaskService } from './task.service.ts'
import {
  brokerFailureTable,
  brokerSuccessTable,
  brokerTaskTable,
  queryLogTable,
  taskDeviceTable,
  taskTable,
} from './task.table.ts'
import { createTaskArgs, sealStoredArgs, withoutWords } from './task-args.ts'
import { createTaskChanges } from './task-changes.ts'
import { createTasks } from './task-end.ts'
import { createTaskPreview } from './task-preview.ts'
import { createPayloads } from './test-model.payload.ts'
import { mountTestModels } from './test-model.routes.ts'
import { createToldSecrets } from './told-secrets.ts'
import { createUploads, createUploadTokens } from './upload.service.ts'

type DeviceDoor = ReturnType<(typeof device)['mount']>

const expiryMs = 15_000

/** What left somebody out was done in part (behaviour: api.partly). */
const wholeOrPart =
  <C extends Call>(create: (call: C) => Promise<MadeTask>) =>
  async (call: C) => {
    const made = await create(call)
    return made.refused ? new PartialAnswer(made) : made
  }

/** Commands and everything that is made of them. */
export const mountCommands = (services: Services, { device: link }: { readonly device: DeviceDoor }) => {
  const { app, kit, config, db, secrets, signals, settings, notify, jobs, log } = services
  const seal = createSeal(secrets.sealKey)
  link.extend('command', commandsOfDevices)
  const tasks = createTasks({ notify })
  const taskArgs = createTaskArgs(seal)
  const payloads = createPayloads(seal)
  const rules = createRules()
  const { refuseAddress, checks } = createOwnChecks({ settings })
  for (const name of Object.keys(deviceCommands) as CommandName[])
    rules.serve(name, {
      ...(checks[name] && { check: checks[name] }),
      ...(ownEffects[name] && { done: ownEffects[name] }),
    })
  const deps = { taskArgs, signals, tasks, rules, plans: createPlans({ jobs }) }
  const service = createTaskService(deps)
  const changes = createTaskChanges(deps)
  const actorOf = createActorOf(services)
  startPlans({ db, jobs, tasks, actorOf, begin: service.beginPlanned })
  const readPlan = createPlanReader({ actorOf, outlook: service.outlook })
  const ids = createMessageIds(secrets.signingKey)
  const tokens = createUploadTokens(secrets.signingKey)
  const uploads = createUploads({ ...services, tokens })
  const told = createToldSecrets(taskArgs)
  const sender = createSender({ db, signals, link, taskArgs, ids, tokens, told, log })
  const followers = createFollowers()
  const replies = createReplies({ ids, taskArgs, tasks, applyDone: createEffects(rules), followers })
  /** Commands that ended without a word of their devices. */
  const ended = async (tx: Db, moved: readonly Moved[]) => {
    await followers.tellEnded(tx, moved)
    await tasks.touched(
      tx,
      moved.map(({ taskId }) => taskId),
    )
  }

  mount(kit, taskTable, {
    list: byDefault,
    export: byDefault,
    actions: {
      cancel: changes.cancel(taskTable),
      giveUp: changes.giveUp(taskTable),
      retry: changes.retry(taskTable),
    },
  })
  mount(kit, taskDeviceTable, { list: byDefault, export: byDefault })
  mount(kit, brokerTaskTable, {
    list: byDefault,
    actions: {
      cancel: changes.cancel(brokerTaskTable),
      giveUp: changes.giveUp(brokerTaskTable),
      retry: changes.retry(brokerTaskTable),
    },
  })
  mount(kit, brokerSuccessTable, { list: byDefault, export: byDefault })
  mount(kit, brokerFailureTable, { list: byDefault, export: byDefault })
  mount(kit, queryLogTable, { list: byDefault, export: byDefault })
  const { preview, look } = createTaskPreview(rules)
  kit.guarded(previewTask, 'deviceTask', preview)
  kit.guarded(lookAtTargets, 'deviceTask', look)
  for (const door of [createTask, runBatch, giveCommand])
    kit.guarded(door, 'deviceTask', wholeOrPart(service.create(String(door.perm))))
  kit.guarded(createBrokerTask, 'brokerTask', wholeOrPart(service.createMessage))
  kit.guarded(taskDetail, 'deviceTask', async ({ db: tx, scope, input }) => {
    const row = await findRow(tx, taskTable, scope, input.id)
    const [task] = await findArgs(tx, [row.id])
    return { row, args: task?.args ?? {} }
  })
  kit.guarded(plannedDevices, 'deviceTask', async ({ db: tx, scope, input }) => {
    await findRow(tx, taskTable, scope, input.id)
    return readPlan(tx, scope, input)
  })
  kit.guarded(plannedMessageDevices, 'brokerTask', async ({ db: tx, scope, input }) => {
    await findRow(tx, brokerTaskTable, scope, input.id)
    return readPlan(tx, scope, input)
  })
  kit.guarded(taskDeviceDetail, 'taskDevice', async ({ db: tx, scope, input }) => ({
    row: await findRow(tx, taskDeviceTable, scope, input.id),
    attempts: await findAttempts(tx, input.id),
  }))
  kit.guarded(brokerSuccessDetail, 'brokerTask', async ({ db: tx, scope, input }) => ({
    row: await findRow(tx, brokerSuccessTable, scope, input.id),
  }))
  kit.guarded(brokerFailureDetail, 'brokerTask', async ({ db: tx, scope, input }) => {
    await findRow(tx, brokerFailureTable, scope, input.id)
    return { attempts: await findAttempts(tx, input.id) }
  })
  kit.guarded(queryLogDetail, 'queryLog', async ({ db: tx, scope, input }) => ({
    row: await findRow(tx, queryLogTable, scope, input.id),
  }))
  kit.takesStream(uploadCommandFile, 'deviceTask', {
    receive: uploads.receive,
    discard: uploads.discard,
    run: uploads.attach,
  })
  mountLog(kit, service)
  mountSettings(kit, service, { refuseAddress })
  mountTestModels(kit, service, payloads)

  link.onReply(replies.receive)
  link.concealBy((sn) => {
    const words = told.of(sn)
    return words.length > 0 ? (value) => withoutWords(value, words) : undefined
  })
  app.addHook('onReady', async () => {
    await sealStoredArgs(db, taskArgs)
    await payloads.sealStored(db)
  })
  jobs.every('expiring commands', expiryMs, () =>
    db.transaction().execute(async (tx) => ended(tx as Db, await expireOverdue(tx as Db))),
  )
  // Only whoever holds the devices' connections can hand them anything.
  if (config.roles.includes('gateway')) {
    app.addHook('onReady', async () => {
      await told.load(db)
      sender.start()
    })
    app.addHook('onClose', () => sender.stop())
  }

  link.whileBusy(findBusy)
  link.onLeaving(async (tx, leaving) => ended(tx, await failOf(tx, leaving, commandReasons.deviceRemoved)))

  return {
    /** What a room has to say about a command that it has declared. */
    serve: rules.serve,
    /** Sends a command to devices: all of them, or none and the first that refuses is named. */
    issue: service.issue,
    /** Why some devices could not take a command now: an error a device, with its `sn`. */
    refusals: service.refusals,
    /** Given up by whoever issued it. */
    withdraw: service.withdraw,
    /** Hears what becomes of the commands of an origin, in the transaction in which it does. */
    follow: followers.follow,
  }
}
