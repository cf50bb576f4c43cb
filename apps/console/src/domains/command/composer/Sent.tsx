import { deviceTask, type MadeTask } from '@campanile/contract/command'
import { useState } from 'react'
import { Link } from 'react-router'
import { useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'
import { type LiveMessage, useLive } from '../../../shell/live.ts'
import { Outcome } from '../order/Outcome.tsx'
import type { Figures } from '../order/TaskFigures.tsx'
import { sumOf, unheard } from '../order/useOrder.ts'

const brokerTaskOf = (id: number) => `/device/broker/task/success/${id}`

interface Props {
  made: MadeTask
  /** A message of one's own stands in a list of its own. */
  own: boolean
}

/** What came of it: the task, how it goes on, and where it is found again. */
export function Sent({ made, own }: Props) {
  const { t } = useReader(deviceTask)
  const [news, setNews] = useState<ReadonlyMap<unknown, Figures>>(new Map())
  useLive('task', (told) => setNews((before) => new Map(before).set(told.id, told as LiveMessage & Figures)))
  const tasks = made.tasks ?? [made]
  const now = tasks.filter(({ sendTime }) => sendTime === undefined)
  const figures = now.map((task) => news.get(task.id) ?? unheard(task))
  return (
    <>
      {now.length > 0 && (
        <Outcome
          made={{ ...made, ...now[0], total: sumOf(figures).total, tasks: now }}
          figures={{ ...sumOf(figures), refused: made.refused ?? 0 }}
          {...(own && { detail: brokerTaskOf })}
        />
      )}
      {now.length < tasks.length && (
        <section className="order-outcome" role="status">
          {tasks.map(
            ({ id, taskId, total, sendTime }) =>
              sendTime !== undefined && (
                <p key={id}>
                  {t('composer.planned', { task: taskId, time: timeText(new Date(sendTime)), count: total })}{' '}
                  <Link to={own ? brokerTaskOf(id) : `/deviceTask/detail/${id}`}>{t('command.sent.open')}</Link>
                </p>
              ),
          )}
        </section>
      )}
    </>
  )
}
