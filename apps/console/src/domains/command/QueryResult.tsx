import type { queryLog } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { type Reader, StateMark } from '../../kit/index.ts'

type Result = Row<typeof queryLog>['result']
const tones = { waiting: 'accent', ok: 'good', error: 'bad', timeout: 'warning' } as const

export const QueryResult = ({ result, reader }: { result: Result; reader: Reader }) => (
  <StateMark tone={tones[result]}>{reader.option('result', result)}</StateMark>
)
