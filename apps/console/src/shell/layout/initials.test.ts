import { expect, it } from 'vitest'
import { initials } from './initials.ts'

it.each([
  ['Lee Wing', 'LW'],
  ['Chan Wai Lam', 'CL'],
  ['admin', 'A'],
  ['李永明', '永明'],
  ['  ', ''],
])('the avatar of "%s" shows "%s"', (name, shown) => {
  expect(initials(name)).toBe(shown)
})
