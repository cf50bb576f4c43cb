import { brokerTask, type Outlook } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { Failed } from '../../../kit/Failed.tsx'
import { useReader } from '../../../kit/index.ts'
import { TaskFigures } from '../order/TaskFigures.tsx'
import { OutlookFigures } from '../task/OutlookFigures.tsx'
import { ProgressMark, TaskTime } from '../task/states.tsx'
import { useCancel } from '../task/useCancel.ts'
import { useGiveUp } from '../task/useGiveUp.ts'
import '../../../kit/cards.css'
import '../task/task.css'

interface Props {
  task: UseQueryResult<Row<typeof brokerTask> | null>
  /** Of a planned one: whom it would reach as things stand. */
  outlook: Outlook | undefined
  onChanged: () => unknown
  buttons: ((task: Row<typeof brokerTask>) => ReactNode) | undefined
}

/** What was said, by whom, and how it stands; and the way from one list of devices to the other. */
export function BrokerHead({ task: { data, error, refetch }, outlook, onChanged, buttons }: Props) {
  const reader = useReader(brokerTask)
  const navigate = useNavigate()
  const { t } = reader
  const cancel = useCancel(brokerTask, onChanged)
  const giveUp = useGiveUp(brokerTask, onChanged)
  if (error && !data) {
    return <Failed error={error} onRetry={refetch} card />
  }
  if (data === null) return <p className="card card-empty">{t('error.93014')}</p>
  if (!data) return null
  const { id, name } = data
  return (
    <section className="card task-head" aria-label={name}>
      <div className="card-head">
        <h2>
          {name} · <span className="mono">{data.topic}</span>
        </h2>
        <ProgressMark task={data} />
        <span className="quiet">{`${reader.field('qos')} ${reader.option('qos', data.qos)}`}</span>
        <span className="spread" />
        {cancel.permitted && data.unsent && (
          <Button loading={cancel.running} onClick={() => cancel.ask(name, data)}>
            {t('brokerTask.action.cancel')}
          </Button>
        )}
        {giveUp.permitted && data.begun && (
          <Button loading={giveUp.running} onClick={() => giveUp.ask(name, { id })}>
            {t('brokerTask.action.giveUp')}
          </Button>
        )}
        {buttons?.(data)}
      </div>
      <p className="quiet">{[data.taskId, data.creatorName, data.departmentName].filter(Boolean).join(' · ')}</p>
      <TaskTime task={data} />
      {data.refusal !== null && (
        <p className="field-error" role="alert">
          {t('deviceTask.notBegun', { reason: t(`error.${data.refusal}`), code: data.refusal })}
        </p>
      )}
      {data.progress === 'planned' ? (
        <OutlookFigures outlook={outlook} />
      ) : (
        <>
          <TaskFigures
            {...data}
            leadsNot={['waiting']}
            onShow={(figure) => navigate(`/device/broker/task/${figure === 'succeeded' ? 'success' : 'fail'}/${id}`)}
          />
          <nav className="task-lists" aria-label={reader.title}>
            <NavLink to={`/device/broker/task/success/${id}`}>{t('brokerTask.action.success')}</NavLink>
            <NavLink to={`/device/broker/task/fail/${id}`}>{t('brokerTask.action.fail')}</NavLink>
          </nav>
        </>
      )}
    </section>
  )
}
