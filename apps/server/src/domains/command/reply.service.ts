import type { Db } from '../../platform/db.ts'
import { maskSaid } from '../../platform/secret-fields.ts'
import type { DeviceReply } from '../device/index.ts'
import type { createEffects } from './effect.ts'
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
}

interface Words {
  /** The furthest it said to have come. */
  under?: Report
  /** Its first last word: whatever comes after the end changes nothing. */
  over?: Report
}

/** What devices say about their commands. A word that no longer fits changes nothing and is no error. */
export const createReplies = ({ ids, taskArgs, tasks, applyDone }: Deps) => {
  const asReport = ({ deviceId, sn, reply }: DeviceReply): Report | undefined => {
    const attempt = ids.read(sn, reply.id)
    if (!attempt) return undefined
    const { state, progress, error, result } = reply
    return {
      ...attempt,
      deviceId,
      done: state === 'done',
      percent: progress === undefined ? null : Math.round(progress),
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
      else if ((report.percent ?? -1) >= (words.under?.percent ?? -1)) words.under = report
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
      await tasks.touched(
        tx,
        [...begun, ...further, ...ended, ...late].map(({ taskId }) => taskId),
      )
    },
  }
}
