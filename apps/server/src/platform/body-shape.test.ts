import { describe, expect, it } from 'vitest'
import { fitsShape } from './body-shape.ts'

const most = { names: 3, groups: 4, elements: 5, depth: 2 }
const fits = (value: unknown) => fitsShape(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), most)

describe('the shape of a body', () => {
  it('is told without reading it', () => {
    expect(fits({ a: 1, b: 2, c: 3 })).toBe(true)
    expect(fits({ a: 1, b: 2, c: 3, d: 4 })).toBe(false)
    expect(fits([1, 2, 3, 4, 5, 6])).toBe(true)
    expect(fits([1, 2, 3, 4, 5, 6, 7])).toBe(false)
    expect(fits([[], [], []])).toBe(true)
    expect(fits([[], [], [], []])).toBe(false)
    expect(fits([[1]])).toBe(true)
    expect(fits([[[1]]])).toBe(false)
  })

  it('does not hang on what stands in texts', () => {
    expect(fits({ a: '{"b":[[[1,2,3,4,5,6,7,8]]],"c":1,"d":2,"e":3}' })).toBe(true)
    expect(fits({ a: 'x\\"[[[[[' })).toBe(true)
    expect(fits('{"a":"\\\\",[[[')).toBe(false)
  })
})
