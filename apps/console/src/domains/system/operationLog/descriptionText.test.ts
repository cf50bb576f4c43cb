import type { Row } from '@campanile/contract/kit'
import type { operationLog } from '@campanile/contract/system'
import { describe, expect, it } from 'vitest'
import type { Reader } from '../../../kit/reader.ts'
import { descriptionText, kindsNamed } from './descriptionText.ts'

const reader = {
  t: (key: string, values: Record<string, unknown> = {}) => [key, ...Object.values(values)].join('|'),
  number: (value: number) => String(value),
  maybe: (key: string) => ({ 'device.title': 'Devices', 'config.field.smsWebhook': 'SMS gateway' })[key],
} as unknown as Reader
const line = (values: Partial<Row<typeof operationLog>>) => values as Row<typeof operationLog>

describe('what a line of the log says', () => {
  it('has words for rows that were read', () => {
    expect(descriptionText(line({ type: 'read', module: 'user', description: '10 of 39' }), reader)).toBe(
      'operationLog.readRows|39|10|39',
    )
  })
  it('has words for a line of the log that was opened', () => {
    expect(descriptionText(line({ type: 'read', module: 'operationLog', description: '27' }), reader)).toBe(
      'operationLog.readRow|27',
    )
  })
  it('has words for settings of the installation, views and what was looked for', () => {
    const say = (module: string, description: string) =>
      descriptionText(line({ type: 'update', module, description }), reader)
    expect(say('config', 'smsWebhook, logo')).toBe('SMS gatewaykit.value.commalogo')
    expect(say('personal', 'device: My tills')).toBe('Devices · My tills')
    expect(say('search', 'device: 3 of 10')).toBe('Devices · operationLog.readRows|10|3|10')
    expect(say('personal', 'alert × 2')).toBe('operationLog.alerts|2|2')
    expect(kindsNamed({ module: 'search', description: 'device: 3 of 10' })).toEqual(['search', 'device'])
    expect(kindsNamed({ module: 'user', description: 'device: 3 of 10' })).toEqual(['user'])
  })
  it('is otherwise what was written', () => {
    expect(descriptionText(line({ type: 'update', module: 'user', description: '27' }), reader)).toBe('27')
    expect(descriptionText(line({ type: 'update', module: 'user', description: 'Gate of 5' }), reader)).toBe(
      'Gate of 5',
    )
    expect(descriptionText(line({ type: 'signIn', module: 'session', description: null }), reader)).toBeUndefined()
  })
})
