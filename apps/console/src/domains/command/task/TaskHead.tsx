import { deviceTask, type Outlook, retriedKinds as retryKinds, type taskDetail } from '@campanile/contract/command'
import type { AnswerOf } from '@campanile/contract/kit'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import { Failed } from '../../../kit/Failed.tsx'
import { useReader } from '../../../kit/index.ts'
import { CommandData } from '../order/CommandData.tsx'
import { type Figure, TaskFigures } from '../order/TaskFigures.tsx'
import { OutlookFigures } from './OutlookFigures.tsx'
import { ProgressMark, TaskTime } from './states.tsx'
import '../../../kit/cards.css'
import { useCancel } from './useCancel.ts'
import { useGiveUp } from './useGiveUp.ts'
import './task.css'
import { useRetry } from './useRetry.tsx'

interface Props {
  detail: UseQueryResult<AnswerOf<typeof taskDetail>>
  onChanged: () => unknown
  /** Shows the devices behind one of its figures. */
  onShow: (figure: Figure | undefined) => void
  shown: Figure | undefined
  /** Of a planned task: whom it would reach as things stand. */
  outlook?: Outlook | undefined
}

/** What was asked, by whom, and how it stands. */
export function TaskHead({ detail: { data, error, refetch }, onChanged, onShow, shown, outlook }: Props) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const cancel = useCancel(deviceTask, onChanged)
  const giveUp = useGiveUp(deviceTask, onChanged)
  const retry = useRetry(deviceTask, onChanged)
  if (error && !data) {
    return <Failed error={error} onRetry={refetch} card />
  }
  if (!data) return <p className="bone task-head-bone" />
  const { row, args } = data
  const command = reader.option('command', row.command)
  const states = retryKinds.filter((kind) => (kind === 'cancelled' ? row.resendable : row[kind] > 0))
  return (
    <section className="card task-head" aria-label={row.taskId}>
      <div className="card-head">
        <h2>
          <span className="mono">{row.taskId}</span> · {command}
        </h2>
        <ProgressMark task={row} />
        <span className="spread" />
        {cancel.permitted && row.unsent && (
          <Button loading={cancel.running} onClick={() => cancel.ask(row.taskId, row)}>
            {t('deviceTask.action.cancel')}
          </Button>
        )}
        {giveUp.permitted && row.begun && (
          <Button loading={giveUp.running} onClick={() => giveUp.ask(row.taskId, { id: row.id })}>
            {t('deviceTask.action.giveUp')}
          </Button>
        )}
        {retry.permitted &&
          states.map((only) => (
            <Button
              key={only}
              loading={retry.running}
              onClick={() => retry.ask({ id: row.id, command: row.command, only })}
            >
              {t(`deviceTask.again.${only}`, { count: row[only], shown: reader.number(row[only]) })}
            </Button>
          ))}
      </div>
      <p className="quiet">
        {[row.description ?? row.name, row.creatorName, row.departmentName].filter(Boolean).join(' · ')}
      </p>
      <TaskTime task={row} />
      {row.refusal !== null && (
        <p className="field-error" role="alert">
          {t('deviceTask.notBegun', { reason: t(`error.${row.refusal}`), code: row.refusal })}
        </p>
      )}
      {row.progress === 'planned' ? (
        <OutlookFigures outlook={outlook} />
      ) : (
        <TaskFigures {...row} onShow={onShow} shown={shown} />
      )}
      <CommandData args={args} />
      {retry.dialog}
    </section>
  )
}
