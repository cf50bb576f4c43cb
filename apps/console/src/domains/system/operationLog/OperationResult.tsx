import type { Row } from '@campanile/contract/kit'
import type { operationLog } from '@campanile/contract/system'
import { type Reader, StateMark } from '../../../kit/index.ts'

export function OperationResult({ row, reader }: { row: Row<typeof operationLog>; reader: Reader }) {
  return <StateMark tone={row.result === 'success' ? 'good' : 'bad'}>{reader.option('result', row.result)}</StateMark>
}
