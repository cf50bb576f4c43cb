import type { operationLog, Row } from '@campanile/contract'
import type { Reader } from '../../../kit/index.ts'

/** The log keeps what it was told, in no language: a count of rows read, or a line of the log itself, gets its words here. */
export const descriptionText = ({ type, module, description }: Row<typeof operationLog>, reader: Reader) => {
  const [, shown, total] = description?.match(/^(\d+) of (\d+)$/) ?? []
  if (shown !== undefined && total !== undefined)
    return reader.t('operationLog.readRows', {
      shown: reader.number(Number(shown)),
      total: reader.number(Number(total)),
    })
  if (type === 'read' && module === 'operationLog' && /^\d+$/.test(description ?? ''))
    return reader.t('operationLog.readRow', { id: reader.number(Number(description)) })
  return description ?? undefined
}
