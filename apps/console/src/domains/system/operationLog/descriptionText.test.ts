import type { Row } from '@campanile/contract/kit'
import type { operationLog } from '@campanile/contract/system'
import { describe, expect, it } from 'vitest'
import type { Reader } from '../../../kit/index.ts'
import { descriptionText } from './descriptionText.ts'

const reader = {
  t: (key: string, values: Record<string, unknown> = {}) => [key, ...Object.values(values)].join('|'),
  number: (value: number) => String(value),
  maybe: () => undefined,
} as unknown as Reader
const line = (values: Partial<Row<typeof operationLog>>) => values as Row<typeof operationLog>

describe('what a line of the log says', () => {
  it('has words for rows that were read', () => {
    expect(descriptionText(line({ type: 'read', module: 'user', description: '10 of 39' }), reader)).toBe(
      'operationLog.readRows|10|39',
    )
  })
  it('has words for a line of the log that was opened', () => {
    expect(descriptionText(line({ type: 'read', module: 'operationLog', description: '27' }), reader)).toBe(
      'operationLog.readRow|27',
    )
  })
  it('is otherwise what was written', () => {
    expect(descriptionText(line({ type: 'update', module: 'user', description: '27' }), reader)).toBe('27')
    expect(descriptionText(line({ type: 'update', module: 'user', description: 'Gate of 5' }), reader)).toBe(
      'Gate of 5',
    )
    expect(descriptionText(line({ type: 'signIn', module: 'session', description: null }), reader)).toBeUndefined()
  })
})
