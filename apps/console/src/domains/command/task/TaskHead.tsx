import { deviceTask, type taskDetail } from '@campanile/contract/command'
import type { AnswerOf } from '@campanile/contract/kit'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Failed } from '../../../kit/Failed.tsx'
import { useReader } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'
import { CommandData } from '../order/CommandData.tsx'
import { TaskFigures } from '../order/TaskFigures.tsx'
import { ProgressMark } from './states.tsx'
import '../../../kit/cards.css'
import { useGiveUp } from './useGiveUp.ts'
import './task.css'
import { useRetry } from './useRetry.tsx'

interface Props {
  detail: UseQueryResult<AnswerOf<typeof taskDetail>>
  onChanged: () => unknown
}

/** What was asked, by whom, and how it stands. */
export function TaskHead({ detail: { data, error, refetch }, onChanged }: Props) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const confirm = useConfirm()
  const cancel = useAction(deviceTask, 'cancel', { onDone: onChanged })
  const giveUp = useGiveUp(deviceTask, onChanged)
  const retry = useRetry(deviceTask, onChanged)
  if (error && !data) {
    return <Failed error={error} onRetry={refetch} card />
  }
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  const { row, args } = data
  const command = reader.option('command', row.command)
  const ask = async () => {
    const verb = t('deviceTask.action.cancel')
    if (
      await confirm({
        title: t('kit.confirmNamed', { action: verb, name: row.taskId }),
        text: t('deviceTask.cancelHelp'),
        verb,
        danger: true,
      })
    )
      await cancel.run({ id: row.id })
  }
  return (
    <section className="card task-head" aria-label={row.taskId}>
      <div className="card-head">
        <h2>
          <span className="mono">{row.taskId}</span> · {command}
        </h2>
        <ProgressMark task={row} />
        <span className="spread" />
        {cancel.permitted && row.unsent && (
          <Button loading={cancel.running} onClick={ask}>
            {t('deviceTask.action.cancel')}
          </Button>
        )}
        {giveUp.permitted && row.begun && (
          <Button loading={giveUp.running} onClick={() => giveUp.ask(row.taskId, { id: row.id })}>
            {t('deviceTask.action.giveUp')}
          </Button>
        )}
        {retry.permitted && row.failed > 0 && (
          <Button
            loading={retry.running}
            onClick={() => retry.ask({ id: row.id, command: row.command, count: row.failed })}
          >
            {t('deviceTask.action.retry')}
          </Button>
        )}
      </div>
      <p className="quiet">
        {[row.description ?? row.name, row.creatorName, row.departmentName].filter(Boolean).join(' · ')}
      </p>
      <TaskFigures {...row} />
      <CommandData args={args} />
      {retry.dialog}
    </section>
  )
}
