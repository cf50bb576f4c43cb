import { expect, it } from 'vitest'
import { rowsThatFit } from './usePageSize.ts'

it.each([
  [900, { rest: 300, row: 40 }, 15],
  [900, { rest: 300, row: 32 }, 18],
  [300, { rest: 300, row: 40 }, 5],
  [100_000, { rest: 300, row: 40 }, 199],
])(
  'a window of %i holds whole rows: never so few that paging is a nuisance, never more than one page may have',
  (height, room, fit) => {
    expect(rowsThatFit(height, room)).toBe(fit)
  },
)
