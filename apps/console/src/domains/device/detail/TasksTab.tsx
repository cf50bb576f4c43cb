import { commandTextKey, taskDevice } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CommandStateMark } from '../../command/marks.tsx'
import { FileLink } from '../../file/pickers.tsx'
import { PageTable } from '../PageTable.tsx'

const everyMs = 3_000

/** What was asked of this device and what became of it, newest first. */
export function TasksTab({ deviceId }: { deviceId: number }) {
  const { t, i18n } = useTranslation()
  return (
    <PageTable
      resource={taskDevice}
      fixed={{ deviceId }}
      columns={['command', 'state', 'reason', 'fileName', 'createTime', 'sentTime', 'endTime']}
      sort="-createTime"
      refreshEvery={everyMs}
      empty={t('deviceDetail.noTasks')}
      cells={{
        command: ({ command, taskId }: Row<typeof taskDevice>) => (
          <Link to={`/deviceTask/detail/${taskId}`}>{t(commandTextKey(command))}</Link>
        ),
        state: ({ state }) => <CommandStateMark state={state} />,
        fileName: ({ fileId, fileName }) => <FileLink id={fileId} name={fileName} />,
        reason: ({ reason }) =>
          reason && (i18n.exists(`taskDevice.reason.${reason}`) ? t(`taskDevice.reason.${reason}`) : reason),
      }}
    />
  )
}
