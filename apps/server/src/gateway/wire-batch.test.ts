import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packBatch, type Said, unpackBatch } from './wire-batch.ts'

const said = fc.record({
  kind: fc.constantFrom('hello' as const, 'state' as const, 'event' as const, 'reply' as const),
  deviceId: fc.integer({ min: 1, max: 2 ** 47 }),
  sn: fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/),
  address: fc.oneof(fc.ipV4(), fc.ipV6()),
  at: fc.integer({ min: 0, max: 2 ** 45 }),
  text: fc.string({ unit: 'binary', maxLength: 40 }),
})
const offline = {
  what: 'offline',
  deviceId: 7,
  sn: 'T2-7',
  reason: 'will',
  detail: 'Strömausfall 断电',
  at: 5,
} as const
const message = (payload: Buffer): Said => ({
  kind: 'state',
  deviceId: 1,
  sn: 'T2-1',
  address: '::1',
  payload,
  at: 1,
})

it('gives back what was put in, in order', () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 20 }), (some) => {
      const entries = some.map(({ text, ...rest }) => ({ ...rest, payload: Buffer.from(text) }))
      const unpacked = unpackBatch(packBatch([offline, ...entries, offline]))
      // Halves of a pair, which JavaScript has and UTF-8 has not, are marks by the time they are bytes.
      const expected = some.map((each) => ({ what: 'message', ...each, text: Buffer.from(each.text).toString() }))
      expect(unpacked).toEqual([offline, ...expected, offline])
    }),
  )
})

it('knows bytes that are no text from a mark that the device wrote itself', () => {
  const [broken, written] = unpackBatch(
    packBatch([message(Buffer.from([0x7b, 0xff, 0xfe])), message(Buffer.from('{"a":"\ufffd"}'))]),
  )
  expect(broken).toMatchObject({ text: undefined })
  expect(written).toMatchObject({ text: '{"a":"\ufffd"}' })
})

it('is refused when it was cut short, and comes to an end on any bytes', () => {
  const block = packBatch([offline, message(Buffer.from('{"ts":1}'))])
  for (let length = 1; length < block.length; length += 1) {
    if (length === packBatch([offline]).length) continue
    expect(() => unpackBatch(block.subarray(0, length))).toThrow()
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        unpackBatch(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
    }),
    { numRuns: 2_000 },
  )
})

it('does not take what its head has no room for', () => {
  const long = 'x'.repeat(256)
  expect(() => packBatch([{ ...message(Buffer.from('{}')), sn: long }])).toThrow(RangeError)
  expect(() => packBatch([{ ...message(Buffer.from('{}')), address: long }])).toThrow(RangeError)
  expect(() => packBatch([{ ...message(Buffer.from('{}')), deviceId: 2 ** 48 }])).toThrow(RangeError)
})
