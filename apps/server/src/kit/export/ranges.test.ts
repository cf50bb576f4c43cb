import { describe, expect, it } from 'vitest'
import { readRange } from './ranges.ts'

describe('a range of a file of ten bytes', () => {
  it.each([
    ['bytes=0-3', { first: 0, last: 3 }],
    ['bytes=4-', { first: 4, last: 9 }],
    ['bytes=4-400', { first: 4, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-300', { first: 0, last: 9 }],
    ['bytes=9-9', { first: 9, last: 9 }],
    ['bytes=10-', 'outside'],
    ['bytes=-0', 'outside'],
    ['bytes=3-1', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-3', undefined],
    [undefined, undefined],
  ])('%s', (header, span) => {
    expect(readRange(header, 10)).toEqual(span)
  })
})
