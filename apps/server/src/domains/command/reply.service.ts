import { protocol } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { maskSaid } from '../../platform/secret-fields.ts'
import type { DeviceReply } from '../device/index.ts'
import type { createEffects } from './effect.ts'
import type { Followers } from './follow.ts'
import type { MessageIds } from './message-id.ts'
import { acknowledge, end, findSecretive, noteLate, type Report, reportProgress } from './reply.store.ts'
import { type TaskArgs, withoutWords } from './task-args.ts'
import type { Tasks } from './task-end.ts'

/** Text of a device is a stranger's: no control characters, no end to speak of. */
const plain = (text: string, max: number) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').slice(0, max)

interface Deps {
  readonly ids: Pick<MessageIds, 'read'>
  readonly taskArgs: Pick<TaskArgs, 'secretsOf'>
  readonly tasks: Tasks
  readonly applyDone: ReturnType<typeof createEffects>
  readonly followers: Pick<Followers, 'tellUnderWay' | 'tellEnded'>
}

interface Words {
  /** The furthest it said to have come. */
  under?: Report
  /** Its first last word: whatever comes after the end changes nothing. */
  over?: Report
}

const stepOrder = [null, ...protocol.replySteps]
/** A later step counts for more than any percentage of the one before it. */
const furthest = (one: Report | undefined, other: Report): Report => {
  if (!one) return other
  const later = stepOrder.indexOf(other.step) - stepOrder.indexOf(one.step)
  return later > 0 || (later === 0 && (other.percent ?? -1) >= (one.percent ?? -1)) ? other : one
}

/** What devices say about their commands. A word that no longer fits changes nothing and is no error. */
export const createReplies = ({ ids, taskArgs, tasks, applyDone, followers }: Deps) => {
  const asReport = ({ deviceId, sn, reply }: DeviceReply): Report | undefined => {
    const attempt = ids.read(sn, reply.id)
    if (!attempt) return undefined
    const { state, progress, step, error, result } = reply
    return {
      ...attempt,
      deviceId,
      done: state === 'done',
      percent: progress === undefined ? null : Math.round(progress),
      step: step ?? null,
      reason: error ? plain(error, 256) : null,
      result: result ?? null,
    }
  }

  /** By who says it and about what: a word of one device never stands in another's way, nor one attempt in the next one's. */
  const sortOut = (replies: readonly DeviceReply[]): Words[] => {
    const heard = new Map<string, Words>()
    for (const each of replies) {
      const report = asReport(each)
      if (!report) continue
      const key = `${report.sn} ${report.id} ${report.attempt}`
      const words = heard.get(key) ?? {}
      heard.set(key, words)
      const isOver = each.reply.state === 'done' || each.reply.state === 'failed'
      if (isOver) words.over ??= report
      else words.under = furthest(words.under, report)
    }
    return [...heard.values()]
  }

  /** A device that repeats what it was told must not show it to whoever reads its answer. */
  const discreet = async (tx: Db, reports: readonly Report[]): Promise<Report[]> => {
    const told = await findSecretive(
      tx,
      reports.map(({ id }) => id),
    )
    // Once for all devices of a task.
    const known = new Map<number, string[]>()
    for (const task of told.values()) if (!known.has(task.id)) known.set(task.id, taskArgs.secretsOf(task))
    return reports.map((report) => {
      const secrets = known.get(told.get(report.id)?.id ?? 0) ?? []
      const tellable = (value: unknown) => maskSaid(withoutWords(value, secrets))
      return {
        ...report,
        reason: tellable(report.reason) as Report['reason'],
        result: tellable(report.result) as Report['result'],
      }
    })
  }

  return {
    /** Part of the transaction that stores everything these devices said. */
    receive: async (tx: Db, replies: readonly DeviceReply[]): Promise<void> => {
      const words = sortOut(replies)
      const under = words.flatMap((each) => each.under ?? [])
      const over = await discreet(
        tx,
        words.flatMap((each) => each.over ?? []),
      )
      const begun = await acknowledge(tx, under)
      const further = await reportProgress(tx, under)
      const ended = await end(tx, over)
      const late = await noteLate(tx, over)
      await applyDone(tx, ended)
      await followers.tellUnderWay(tx, under)
      await followers.tellEnded(tx, ended)
      await tasks.touched(
        tx,
        [...begun, ...further, ...ended, ...late].map(({ taskId }) => taskId),
      )
    },
  }
}
