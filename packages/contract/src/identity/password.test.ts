import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPassword } from './password.ts'

describe('the admin profile', () => {
  it.each([
    ['Abcdef1!', 'ok'],
    ['密码密码密码1!', 'ok'],
    ['Abcd 1!é', 'ok'],
    [`A1!${'x'.repeat(61)}`, 'ok'],
    [`A1!${'x'.repeat(62)}`, ['tooLong']],
    ['Abcde1!', ['tooShort']],
    ['abcdefgh', ['digit', 'special']],
    ['12345678!', ['letter']],
    ['Abcdefg1', ['special']],
    ['Abcdef1！', ['special']],
    ['Abcdef1!\u0000', ['character']],
    ['', ['tooShort', 'letter', 'digit', 'special']],
    ['Harbour-2026!', ['wellKnown']],
    ['harbour-2026!', ['wellKnown']],
    ['Changeme1!', ['wellKnown']],
    ['aA1!aA1!', ['wellKnown']],
  ])('judges %j', (text, verdict) => {
    expect(checkPassword('admin', text)).toEqual(verdict)
  })
})

describe('the short profile', () => {
  it.each([
    ['Abc12.', 'ok'],
    ['abc12.', 'ok'],
    ['Abcdefghijklmn1.', 'ok'],
    ['Abcdefghijklmno1.', ['tooLong']],
    ['Ab1.', ['tooShort']],
    ['abcdef1', ['threeKinds']],
    ['Abc12.-', ['character']],
    ['Abc 12.', ['character']],
  ])('judges %j', (text, verdict) => {
    expect(checkPassword('short', text)).toEqual(verdict)
  })

  it('accepts what the admin profile accepts when length and characters fit both', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9!@#$%^&.*]{8,16}$/), (text) => {
        const mixed = `aA1!${text}`.slice(0, 16)
        expect(checkPassword('admin', mixed)).toBe('ok')
        expect(checkPassword('short', mixed)).toBe('ok')
      }),
    )
  })
})
