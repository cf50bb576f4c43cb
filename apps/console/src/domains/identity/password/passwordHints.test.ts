import { describe, expect, it } from 'vitest'
import { generatePassword } from './generatePassword.ts'
import { hintsFor, keepsEveryRule } from './passwordHints.ts'

const kept = (profile: 'admin' | 'short', password: string) =>
  hintsFor(profile, password)
    .filter((hint) => hint.holds)
    .map((hint) => hint.rule)

describe('password hints', () => {
  it('name every rule and tick none before anything is typed', () => {
    expect(hintsFor('admin', '').map((hint) => hint.rule)).toEqual(['length', 'letter', 'digit', 'special'])
    expect(kept('admin', '')).toEqual([])
    expect(kept('short', '')).toEqual([])
  })

  it.each([
    ['abc', ['letter']],
    ['abc1', ['letter', 'digit']],
    ['abc1!', ['letter', 'digit', 'special']],
    ['abcdef1!', ['length', 'letter', 'digit', 'special']],
    [`a1!${'x'.repeat(62)}`, ['letter', 'digit', 'special']],
  ])('tick what %j keeps of the admin profile', (password, rules) => {
    expect(kept('admin', password)).toEqual(rules)
  })

  it.each([
    ['abc12', ['character']],
    ['Abc12.', ['length', 'threeKinds', 'character']],
    ['Abc12.é', ['length', 'threeKinds']],
  ])('tick what %j keeps of the short profile', (password, rules) => {
    expect(kept('short', password)).toEqual(rules)
  })

  it('show the rule about characters in the admin profile only when it is broken', () => {
    expect(hintsFor('admin', 'abcdef1!\u0007').find((hint) => hint.rule === 'character')).toEqual({
      rule: 'character',
      holds: false,
    })
  })
})

describe('a generated password', () => {
  it('keeps both profiles every time and is never the same', () => {
    const made = Array.from({ length: 200 }, () => generatePassword())
    expect(made.filter((password) => !keepsEveryRule('admin', password))).toEqual([])
    expect(made.filter((password) => !keepsEveryRule('short', password))).toEqual([])
    expect(new Set(made).size).toBe(made.length)
  })

  it('holds no characters that are mistaken for each other when read aloud', () => {
    expect(Array.from({ length: 50 }, () => generatePassword()).join('')).not.toMatch(/[0O1lI]/)
  })
})
