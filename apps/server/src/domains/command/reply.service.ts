import type { Db } from '../../platform/db.ts'
import type { DeviceReply } from '../device/index.ts'
import { applyDone } from './effect.ts'
import { readMessageId } from './message-id.ts'
import { type Report, report, reportProgress } from './reply.store.ts'
import type { Tasks } from './task-end.ts'

export type Reply = Pick<DeviceReply, 'sn' | 'reply'>

/** Text of a device is a stranger's: no control characters, no end to speak of. */
const plain = (text: string, max: number) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').slice(0, max)

const asReport = ({ sn, reply }: Reply): Report[] => {
  const which = readMessageId(reply.id)
  if (!which) return []
  const { progress, error, result } = reply
  return [
    {
      ...which,
      sn,
      percent: progress === undefined ? null : Math.round(progress),
      reason: error ? plain(error, 256) : null,
      // PostgreSQL keeps no NUL in a text.
      result: result ? JSON.stringify(result).replaceAll('\\u0000', '') : null,
    },
  ]
}

/** The last word of each command of a kind counts; which of two equal ones is the same. */
const once = (reports: readonly Report[]) => [...new Map(reports.map((each) => [each.id, each])).values()]

/** What devices say about their commands. A word that no longer fits changes nothing and is no error. */
export const createReplies = ({ tasks }: { tasks: Tasks }) => ({
  /** In the transaction that keeps whatever else the devices said. */
  receive: async (tx: Db, replies: readonly Reply[]): Promise<void> => {
    const said = (state: Reply['reply']['state']) =>
      once(replies.filter(({ reply }) => reply.state === state).flatMap(asReport))
    const under = [...said('acknowledged'), ...said('progress')]
    const begun = await report(tx, 'acknowledge', once(under))
    const further = await reportProgress(tx, said('progress'))
    const done = await report(tx, 'succeed', said('done'))
    const failed = await report(tx, 'fail', said('failed'))
    await applyDone(tx, done)
    await tasks.touched(
      tx,
      [...begun, ...further, ...done, ...failed].map(({ taskId }) => taskId),
    )
  },
})
