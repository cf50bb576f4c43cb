import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const { seal, unseal } = createSeal(randomBytes(32))

test('what was sealed opens again under the same context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, context) => {
      expect(unseal(seal(plain, context), context)).toBe(plain)
    }),
  )
})

test('the same text is sealed differently each time', () => {
  expect(seal('same', 'row 1')).not.toBe(seal('same', 'row 1'))
})

test('a sealed value does not open in another place', () => {
  expect(() => unseal(seal('totp secret', 'user:1'), 'user:2')).toThrow()
})

test('a sealed value does not open under another key', () => {
  expect(() => createSeal(randomBytes(32)).unseal(seal('x', 'a'), 'a')).toThrow()
})

test('any changed character is noticed', () => {
  const sealed = seal('key material', 'row')
  for (let index = 0; index < sealed.length - 1; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A'
    expect(() => unseal(sealed.slice(0, index) + other + sealed.slice(index + 1), 'row')).toThrow()
  }
})

test('a key of another length is refused', () => {
  expect(() => createSeal(randomBytes(16))).toThrow(RangeError)
})
