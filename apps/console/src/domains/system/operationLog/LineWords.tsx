import type { Row } from '@campanile/contract/kit'
import { operationLog } from '@campanile/contract/system'
import { useTranslation } from 'react-i18next'
import { useReader } from '../../../kit/index.ts'
import { operationLabel } from '../../../kit/operationLabel.ts'
import { descriptionText } from './descriptionText.ts'

interface Props {
  row: Row<typeof operationLog>
}

// Cells of their own: the words of a line's room may come after the line.

export function Done({ row }: Props) {
  const { i18n } = useTranslation()
  return operationLabel(row, i18n)
}

export function Description({ row }: Props) {
  return descriptionText(row, useReader(operationLog)) ?? '–'
}
