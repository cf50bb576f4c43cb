import { expect, it } from 'vitest'
import { beginIn } from './lock.ts'

const stat = (state: string, name = 'node') =>
  `29792 (${name}) ${state} 1 29792 29792 0 -1 4194560 100 0 0 0 10 2 0 0 20 0 11 0 460123 1500000 2000 18446744073709551615 1`

it('reads when a process began, whatever it is called', () => {
  expect(beginIn(stat('S'))).toBe('460123')
  expect(beginIn(stat('R', 'odd) S 1 2 (name'))).toBe('460123')
})
it('does not take a dead process that nobody has collected for a living one', () => {
  expect(beginIn(stat('Z'))).toBeUndefined()
  expect(beginIn('')).toBeUndefined()
})
