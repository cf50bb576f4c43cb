import { type MadeTask, taskDetail } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls, usePermitted } from '../../../kit/index.ts'
import { joints } from '../../../kit/listed.ts'
import { type Figures, TaskFigures } from './TaskFigures.tsx'

const lookEveryMs = 5_000
const isOpen = ({ total, succeeded, failed, cancelled = 0 }: Figures) => succeeded + failed + cancelled < total

interface Props {
  made: MadeTask
  figures: Figures
  detail?: ((id: number) => string) | undefined
}

/** What was made, how it goes on, and where it is found again. The live line tells; asking is for when it is down. */
export function Outcome({ made, figures, detail }: Props) {
  const { t } = useTranslation()
  const mayAsk = usePermitted(taskDetail.perm) && !detail
  const tasks = made.tasks ?? [made]
  const [first, second] = tasks
  const only = second ? undefined : first
  const path = detail ?? (mayAsk ? (id: number) => `/deviceTask/detail/${id}` : undefined)
  const { data } = useQuery({
    queryKey: ['taskOutcome', made.id],
    queryFn: ({ signal }) => calls.call(taskDetail, { id: made.id }, { signal }),
    enabled: mayAsk && only !== undefined && isOpen(figures),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data.row) ? false : lookEveryMs),
  })
  const shown = data && !isOpen(data.row) && isOpen(figures) ? data.row : figures
  return (
    <section className="order-outcome">
      {only ? (
        <p>
          {t('command.sent.lead', { task: only.taskId, count: made.total })}{' '}
          {path && <Link to={path(only.id)}>{t('command.sent.open')}</Link>}
        </p>
      ) : (
        <SeveralTasks tasks={tasks} total={made.total} path={path} />
      )}
      <TaskFigures {...shown} />
    </section>
  )
}

interface SeveralProps {
  tasks: readonly { readonly id: number; readonly taskId: string }[]
  total: number
  path: ((id: number) => string) | undefined
}

/** Where the tasks stand in the sentence, which is not at the same place in every language. */
const place = '\u0000'

function SeveralTasks({ tasks, total, path }: SeveralProps) {
  const { t, i18n } = useTranslation()
  const [before, after] = t('command.sent.leadSeveral', { tasks: place, count: total }).split(place)
  const joint = joints(i18n.language, tasks.length)
  return (
    <p>
      {before}
      {tasks.map(({ id, taskId }, at) => (
        <Fragment key={id}>
          {joint[at]}
          {path ? <Link to={path(id)}>{taskId}</Link> : taskId}
        </Fragment>
      ))}
      {after}
    </p>
  )
}
