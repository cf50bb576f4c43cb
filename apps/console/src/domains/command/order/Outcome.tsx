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
  const { data } = useQuery({
    queryKey: ['taskOutcome', made.id],
    queryFn: ({ signal }) => calls.call(taskDetail, { id: made.id }, { signal }),
    enabled: mayAsk && isOpen(figures),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data.row) ? false : lookEveryMs),
  })
  const shown = data && !isOpen(data.row) && isOpen(figures) ? data.row : figures
  return (
    <section className="order-outcome">
      <p>
        {t('command.sent.lead', { task: made.taskId, count: made.total })}{' '}
        {(mayAsk || detail) && (
          <Link to={detail?.(made.id) ?? `/deviceTask/detail/${made.id}`}>{t('command.sent.open')}</Link>
        )}
      </p>
      <TaskFigures {...shown} />
    </section>
  )
}
