import { describe, expect, it } from 'vitest'
import { base32, matchingStep, otpauthUri, stepAt, totpCode } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

describe('time-based codes', () => {
  // RFC 6238 appendix B, SHA-1
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %i is %s', (seconds, code) => {
    expect(totpCode(secret, stepAt(at(seconds)), 8)).toBe(code)
    expect(totpCode(secret, stepAt(at(seconds)))).toBe(code.slice(2))
  })

  it('are taken one step early and one step late, not two', () => {
    const now = at(1_700_000_010)
    const step = stepAt(now)
    expect([-2, -1, 0, 1, 2].map((late) => matchingStep(secret, totpCode(secret, step + late), now))).toEqual([
      undefined,
      step - 1,
      step,
      step + 1,
      undefined,
    ])
  })

  it('are six ASCII digits and nothing else', () => {
    const now = at(59)
    expect(matchingStep(secret, '287082', now)).toBe(1)
    for (const text of [' 287082', '287082 ', '287 082', '0287082', '28708', '２８７０８２', '287082\n', '+287082', ''])
      expect(matchingStep(secret, text, now)).toBeUndefined()
  })
})

describe('a secret', () => {
  // RFC 4648, section 10
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is written %j', (text, written) => {
    expect(base32(Buffer.from(text))).toBe(written)
  })

  it('is offered to an app with names that need no guessing', () => {
    expect(otpauthUri(secret, 'a b@c', 'Campanile')).toBe(
      'otpauth://totp/Campanile:a%20b%40c?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Campanile&algorithm=SHA1&digits=6&period=30',
    )
  })
})
