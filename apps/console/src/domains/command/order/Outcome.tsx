import { type MadeTask, taskDetail } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls, usePermitted } from '../../../kit/index.ts'
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
  const { data } = useQuery({
    queryKey: ['taskOutcome', made.id],
    queryFn: ({ signal }) => calls.call(taskDetail, { id: made.id }, { signal }),
    enabled: mayAsk && tasks.length === 1 && isOpen(figures),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data.row) ? false : lookEveryMs),
  })
  const shown = data && !isOpen(data.row) && isOpen(figures) ? data.row : figures
  return (
    <section className="order-outcome">
      <p>
        {t('command.sent.lead', { task: tasks.map(({ taskId }) => taskId).join(', '), count: made.total })}{' '}
        {(mayAsk || detail) &&
          tasks.map(({ id, taskId }) => (
            <Link key={id} to={detail?.(id) ?? `/deviceTask/detail/${id}`}>
              {tasks.length === 1 ? t('command.sent.open') : `${t('command.sent.open')} ${taskId} `}
            </Link>
          ))}
      </p>
      <TaskFigures {...shown} />
    </section>
  )
}
