import { expect, it } from 'vitest'
import { limitState } from './limitState.ts'

it.each([
  [null, 80, 500, 'none'],
  [1000, 80, 799, 'fine'],
  [1000, 80, 800, 'alarm'],
  [1000, null, 999, 'fine'],
  [1000, 80, 1000, 'alarm'],
  [1000, 80, 1001, 'over'],
  [1000, null, 1001, 'over'],
] as const)('a limit of %s MB that warns at %s %% is, with %s MB used, %s', (limitMb, alarmPercent, usedMb, state) => {
  expect(limitState({ limitMb, alarmPercent, usedMb })).toBe(state)
})
