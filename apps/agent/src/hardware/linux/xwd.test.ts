import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { xwdToPng } from './xwd.ts'

/** Two pixels beside each other, red and blue, as an X server of 24-bit depth holds them. */
const dump = (change: Record<number, number> = {}) => {
  const header = Buffer.alloc(100)
  const fields: Record<number, number> = {
    0: 100,
    1: 7,
    2: 2,
    3: 24,
    4: 2,
    5: 1,
    7: 0,
    11: 32,
    12: 8,
    19: 0,
    ...change,
  }
  for (const [at, value] of Object.entries(fields)) header.writeUInt32BE(value, Number(at) * 4)
  return Buffer.concat([header, Buffer.from([0, 0, 255, 0, 255, 0, 0, 0])])
}

it('turns a screen dump into a PNG of the same pixels', () => {
  const png = xwdToPng(dump())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2, 1])
  const length = png.readUInt32BE(33)
  expect(png.subarray(37, 41).toString()).toBe('IDAT')
  expect([...inflateSync(png.subarray(41, 41 + length))]).toEqual([0, 255, 0, 0, 0, 0, 255])
})
it.each([
  ['a cut one', dump().subarray(0, 104)],
  ['an unknown version', dump({ 1: 6 })],
  ['a palette', dump({ 11: 8 })],
  ['a huge one', dump({ 4: 1e6 })],
])('refuses %s', (_what, bytes) => {
  expect(() => xwdToPng(bytes)).toThrow()
})
