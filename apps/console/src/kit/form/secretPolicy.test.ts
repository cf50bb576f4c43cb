import { describe, expect, it } from 'vitest'
import { hintsFor } from './secretPolicy.ts'

const kept = (profile: 'admin' | 'short', password: string) =>
  hintsFor(profile, password)
    .filter((hint) => hint.holds)
    .map((hint) => hint.rule)

describe('hints for a new secret', () => {
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
    ['abc12', ['characters']],
    ['Abc12.', ['length', 'kinds', 'characters']],
    ['Abc12.é', ['length', 'kinds']],
  ])('tick what %j keeps of the short profile', (password, rules) => {
    expect(kept('short', password)).toEqual(rules)
  })

  it('show the rule about characters in the admin profile only when it is broken', () => {
    expect(hintsFor('admin', 'abcdef1!\u0007').find((hint) => hint.rule === 'characters')).toEqual({
      rule: 'characters',
      holds: false,
    })
  })
})
