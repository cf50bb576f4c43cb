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
/** Of one step, so that nobody waits for a large order: different texts, and bytes on their way to devices. */
const textsAtOnce = 32
const bytesAtOnce = 16 * 1024 * 1024
const sweepMs = 30_000
const retryMs = 1_000

export interface SenderDeps {
  readonly db: Db
  readonly signals: Pick<Signals, 'on'>
  readonly link: Pick<Devices, 'send' | 'taken' | 'onConnected' | 'onShown'>
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

  /** The first of them: all of a few tasks, as far as their arguments, one text for all devices of a task, are not too much. */
  const stepOf = async (tx: Db, outgoing: readonly Outgoing[]) => {
    const tasks = [...new Set(outgoing.map(({ taskId }) => taskId))].slice(0, textsAtOnce)
    const stored = new Map((await findArgs(tx, tasks)).map((task) => [task.id, task]))
    const texts = new Map([...stored].map(([id, task]) => [id, JSON.stringify(taskArgs.open(task))]))
    const step = new Map<number, Outgoing[]>()
    let bytes = 0
    let last: Outgoing | undefined
    for (const each of outgoing) {
      const text = texts.get(each.taskId)
      bytes += text?.length ?? 0
      if (text === undefined || (last && bytes > bytesAtOnce)) break
      last = each
      const task = stored.get(each.taskId)
      if (task?.sealed) told.note(each.sn, task)
      const others = step.get(each.taskId)
      if (others) others.push(each)
      else step.set(each.taskId, [each])
    }
    return { step, texts, stored, last: last?.id }
  }

  const messageOf = ({ command, expires, ...attempt }: Outgoing) => {
    const id = ids.write(attempt)
    const upload = tokens.uploadFor(command, attempt.sn, id)
    return { sn: attempt.sn, id, name: command, expires: Date.parse(expires), ...(upload && { upload }) }
  }

  /** Marked in the transaction that handed it over. If that is lost, it goes out once more, which a device does not mind. */
  const hand = (choose: (tx: Db) => Promise<Outgoing[]>): Promise<number | undefined> =>
    db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const outgoing = await choose(tx)
      if (outgoing.length === 0) return undefined
      const { step, texts, stored, last } = await stepOf(tx, outgoing)
      const sent = [...step].flatMap(([taskId, some]) => {
        const listening = link.send(texts.get(taskId) ?? '{}', some.map(messageOf), stored.get(taskId)?.qos)
        return some.filter(({ sn }) => listening.has(sn))
      })
      await markSent(
        tx,
        sent.map(({ id }) => id),
      )
      return last
    })

  /** Step by step, so that what cannot be handed over does not stand before what can; the next when the last was taken. */
  const handAll = async (choose: (tx: Db, after: number) => Promise<Outgoing[]>) => {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const after: number = last
      last = await hand((tx) => choose(tx, after))
      if (last !== undefined) await link.taken()
    }
  }

  const drain = async () => {
    do {
      again = false
      const sns = arrived
      arrived = []
      try {
        if (sns.length > 0) await handAll((tx, after) => lockFor(tx, sns, after, batch))
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
