import { operationLog, type Row } from '@campanile/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen, Time, useReader, useResourceList } from '../../kit/index.ts'
import { operationLabel } from '../../kit/operationLabel.ts'
import { later } from '../../shell/later.tsx'
import { descriptionText } from './operationLog/descriptionText.ts'
import { moduleLabel, modules } from './operationLog/moduleLabel.ts'
import { OperationResult } from './operationLog/OperationResult.tsx'
import './operationLog/operationLog.css'

const OperationDetail = later(async () => (await import('./operationLog/OperationDetail.tsx')).OperationDetail)

type Line = Row<typeof operationLog>

/** What was done, by whom and from where. Nobody changes a line, so there is nothing here but looking. */
export default function OperationLogScreen() {
  const list = useResourceList(operationLog)
  const reader = useReader(operationLog)
  const { i18n } = useTranslation()
  const slots = useMemo(
    () => ({
      cells: {
        createTime: ({ createTime }: Line) => <Time value={createTime} reader={reader} />,
        type: (row: Line) => operationLabel(row, i18n),
        module: ({ module }: Line) => moduleLabel(module, i18n),
        description: (row: Line) => descriptionText(row, reader) ?? '–',
        result: (row: Line) => <OperationResult row={row} reader={reader} />,
      },
      choices: { module: modules(i18n).map((value) => ({ value, label: moduleLabel(value, i18n) })) },
    }),
    [reader, i18n, i18n.language],
  )
  return (
    <ListScreen
      resource={operationLog}
      list={list}
      cells={slots.cells}
      filterChoices={slots.choices}
      detail={OperationDetail}
    />
  )
}
