import { expect, it } from 'vitest'
import { inFoundOrder } from './resource.ts'

it('the palette shows what others are about first and what is only about another last', () => {
  const kind = (name: string, about?: string) => ({ name, palette: { tells: [], ...(about ? { about } : {}) } })
  const order = inFoundOrder([kind('user'), kind('activationCode', 'device'), kind('task'), kind('device')])
  expect(order.map(({ name }) => name)).toEqual(['device', 'user', 'task', 'activationCode'])
})
