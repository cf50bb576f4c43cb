import type { Row } from '@campanile/contract/kit'
import { operationLog } from '@campanile/contract/system'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen, Time, useReader, useResourceList } from '../../kit/index.ts'
import { useTextsOf } from '../../shell/declared.ts'
import { later } from '../../shell/later.tsx'
import { loadTexts } from '../../shell/texts.ts'
import { kindsNamed } from './operationLog/descriptionText.ts'
import { Done, Subject } from './operationLog/LineWords.tsx'
import { moduleLabel, modules } from './operationLog/moduleLabel.ts'
import { OperationResult } from './operationLog/OperationResult.tsx'
import './operationLog/operationLog.css'

/** It says in words what a code means, whichever room answered it. */
const OperationDetail = later(async () => {
  const [{ OperationDetail }] = await Promise.all([import('./operationLog/OperationDetail.tsx'), loadTexts(['errors'])])
  return OperationDetail
})

type Line = Row<typeof operationLog>

/** What was done, by whom and from where. Nobody changes a line, so there is nothing here but looking. */
export default function OperationLogScreen() {
  const list = useResourceList(operationLog)
  const reader = useReader(operationLog)
  const { i18n } = useTranslation()
  useTextsOf(list.rows.flatMap(kindsNamed))
  const slots = useMemo(
    () => ({
      cells: {
        createTime: ({ createTime }: Line) => <Time value={createTime} reader={reader} />,
        type: (row: Line) => <Done row={row} />,
        module: ({ module }: Line) => moduleLabel(module, i18n),
        description: (row: Line) => <Subject row={row} />,
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
