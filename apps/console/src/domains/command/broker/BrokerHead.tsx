import { brokerTask } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { useTabTitle } from '../../../shell/Page.tsx'
import { TaskFigures } from '../order/TaskFigures.tsx'
import { ProgressMark, TaskTime } from '../task/states.tsx'
import '../../../kit/cards.css'
import '../task/task.css'

const watchMs = 3_000

/** The task both lists belong to, and the way from one to the other. */
export function BrokerHead({ id, children }: { id: number; children?: (task: Row<typeof brokerTask>) => ReactNode }) {
  const reader = useReader(brokerTask)
  const navigate = useNavigate()
  const { t } = reader
  const { data, error, refetch } = useQuery({
    queryKey: [...listKey(brokerTask), 'one', id],
    queryFn: async ({ signal }) => (await calls.list(brokerTask, { ids: [id] }, { signal })).rows[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.progress === 'inProgress' ? watchMs : false),
  })
  useTabTitle(data?.name)
  if (error && !data) {
    return <Failed error={error} onRetry={refetch} card />
  }
  if (data === null) return <p className="card card-empty">{t('error.93014')}</p>
  if (!data) return null
  return (
    <section className="card task-head" aria-label={data.name}>
      <div className="card-head">
        <h2>
          {data.name} · <span className="mono">{data.topic}</span>
        </h2>
        <ProgressMark task={data} />
        <span className="quiet">{`${reader.field('qos')} ${reader.option('qos', data.qos)}`}</span>
        <span className="spread" />
        {children?.(data)}
      </div>
      <TaskTime task={data} />
      <TaskFigures
        {...data}
        leadsNot={['waiting']}
        onShow={(figure) => navigate(`/device/broker/task/${figure === 'succeeded' ? 'success' : 'fail'}/${id}`)}
      />
      <nav className="task-lists" aria-label={reader.title}>
        <NavLink to={`/device/broker/task/success/${id}`}>{t('brokerTask.action.success')}</NavLink>
        <NavLink to={`/device/broker/task/fail/${id}`}>{t('brokerTask.action.fail')}</NavLink>
      </nav>
    </section>
  )
}
