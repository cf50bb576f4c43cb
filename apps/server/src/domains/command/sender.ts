import type { Logger } from 'pino'
import type { Db } from '../../platform/db.ts'
import type { Signals } from '../../platform/signals.ts'
import type { Devices } from '../device/index.ts'
import type { MessageIds } from './message-id.ts'
import { findArgs, lockFor, lockQueued, lockQuiet, markSent, type Outgoing } from './outbox.store.ts'
import type { TaskArgs } from './task-args.ts'
import type { ToldSecrets } from './told-secrets.ts'
import type { UploadTokens } from './upload.service.ts'

/** Heard wherever commands were queued. */
export const commandChannel = 'campanile_command'
const batch = 1_000
const sweepMs = 30_000
const retryMs = 1_000

export interface SenderDeps {
  readonly db: Db
  readonly signals: Pick<Signals, 'on'>
  readonly link: Pick<Devices, 'send' | 'onConnected' | 'onShown'>
  readonly taskArgs: Pick<TaskArgs, 'open'>
  readonly ids: Pick<MessageIds, 'write'>
  readonly tokens: Pick<UploadTokens, 'uploadFor'>
  /** Hears which secrets a device is told. */
  readonly told: Pick<ToldSecrets, 'note'>
  readonly log: Logger
}

/** Hands what waits to the gateway: when it is queued, when a device comes, and again when nothing was heard. */
export const createSender = ({ db, signals, link, taskArgs, ids, tokens, told, log }: SenderDeps) => {
  let timer: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let again = false
  let wanted = false
  let arrived: string[] = []

  const messagesOf = async (tx: Db, outgoing: readonly Outgoing[]) => {
    const tasks = await findArgs(tx, [...new Set(outgoing.map(({ taskId }) => taskId))])
    const args = new Map(tasks.map((task) => [task.id, taskArgs.open(task)]))
    const sealed = new Map(tasks.filter(({ sealed }) => sealed).map((task) => [task.id, task]))
    for (const { sn, taskId } of outgoing) {
      const task = sealed.get(taskId)
      if (task) told.note(sn, task)
    }
    return outgoing.map((each) => {
      const id = ids.write(each)
      const upload = tokens.uploadFor(each.command, each.sn, id)
      const message = {
        id,
        name: each.command,
        args: args.get(each.taskId) ?? {},
        expires: Date.parse(each.expires),
        ...(upload && { upload }),
      }
      return { each, message }
    })
  }

  /** Marked in the transaction that handed it over. If that is lost, it goes out once more, which a device does not mind. */
  const hand = (choose: (tx: Db) => Promise<Outgoing[]>): Promise<number | undefined> =>
    db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const outgoing = await choose(tx)
      if (outgoing.length === 0) return undefined
      const messages = await messagesOf(tx, outgoing)
      const sent = messages.filter(({ each, message }) => link.send(each.sn, message) === 'sent')
      await markSent(
        tx,
        sent.map(({ each }) => each.id),
      )
      return outgoing.at(-1)?.id
    })

  /** Page by page, so that what cannot be handed over does not stand before what can. */
  const handAll = async (choose: (tx: Db, after: number) => Promise<Outgoing[]>) => {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const after: number = last
      last = await hand((tx) => choose(tx, after))
    }
  }

  const drain = async () => {
    do {
      again = false
      const sns = arrived
      arrived = []
      try {
        if (sns.length > 0) await hand((tx) => lockFor(tx, sns))
        await handAll((tx, after) => lockQueued(tx, after, batch))
      } catch (error) {
        // They came; that the database was away does not change it.
        arrived = [...sns, ...arrived]
        throw error
      }
    } while (again && wanted)
  }

  /** A wake-up during a round makes it go round once more. */
  const wake = () => {
    if (!wanted) return
    again = true
    sending ??= drain()
      .catch((err) => {
        log.warn({ err }, 'commands could not be sent; trying again')
        again = false
        clearTimeout(retry)
        retry = setTimeout(wake, retryMs)
      })
      .finally(() => {
        sending = undefined
        if (again) wake()
      })
  }

  const sweep = async () => {
    wake()
    await handAll((tx, after) => lockQuiet(tx, after, batch)).catch((err) =>
      log.warn({ err }, 'devices could not be asked again'),
    )
  }

  signals.on(commandChannel, wake)
  link.onConnected((sn) => {
    if (!wanted) return
    arrived.push(sn)
    wake()
  })
  // What was queued before its device was written down as online was passed over.
  link.onShown(wake)

  return {
    sweep,
    start: () => {
      wanted = true
      timer = setInterval(() => void sweep(), sweepMs)
      wake()
    },
    stop: async () => {
      wanted = false
      clearInterval(timer)
      clearTimeout(retry)
      await sending
    },
  }
}
