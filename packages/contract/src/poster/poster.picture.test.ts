import { expect, it } from 'vitest'
import { posterImageType } from './poster.picture.ts'

it.each([
  [480, 800, 'portrait'],
  [480, 280, 'banner'],
  [800, 480, undefined],
  [481, 800, undefined],
  [480, 0, undefined],
])('%i x %i is %s', (width, height, type) => expect(posterImageType(width, height)).toBe(type))
