import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJsonb } from './jsonb.ts'

describe('what goes into a jsonb column', () => {
  it.each([
    ['a backslash before u0000', { a: '\\u0000', b: ['\\\\u0000'] }, { a: '\\u0000', b: ['\\\\u0000'] }],
    ['a NUL in a value and in a name', { 'n\u0000': { deep: ['x\u0000y'] } }, { n: { deep: ['xy'] } }],
    ['half a pair', ['\ud83d', { '\udc00': '😀' }], ['\ufffd', { '\ufffd': '😀' }]],
    ['a moment', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['a name that is no ordinary one', JSON.parse('{"__proto__\\u0000": 1}'), JSON.parse('{"__proto__": 1}')],
    ['nothing', undefined, null],
  ])('%s', (_what, given, kept) => {
    expect(JSON.parse(toJsonb(given))).toEqual(kept)
  })

  it('is valid JSON without an escape PostgreSQL refuses, whatever was given', () => {
    const text = fc.string({ unit: fc.constantFrom('\\', 'u', '0', '\u0000', '\ud800', '\udfff', '😀', '"') })
    const value = fc.letrec((tie) => ({
      value: fc.oneof(text, fc.double(), fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(text, tie('value'))),
    })).value
    fc.assert(
      fc.property(value, (given) => {
        const written = toJsonb(given)
        const words = JSON.stringify(JSON.parse(written))
        expect(words).toBe(written)
        const escapes = written.match(/\\(u....|.)/g) ?? []
        expect(escapes.filter((each) => /^\\u(0000|d[89a-f])/i.test(each))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})
