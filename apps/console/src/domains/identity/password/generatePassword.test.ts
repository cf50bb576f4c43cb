import { checkPassword } from '@campanile/contract/identity'
import { describe, expect, it } from 'vitest'
import { generatePassword } from './generatePassword.ts'

describe('a generated password', () => {
  it('keeps both profiles every time and is never the same', () => {
    const made = Array.from({ length: 200 }, () => generatePassword())
    expect(made.filter((password) => checkPassword('admin', password) !== 'ok')).toEqual([])
    expect(made.filter((password) => checkPassword('short', password) !== 'ok')).toEqual([])
    expect(new Set(made).size).toBe(made.length)
  })

  it('holds no characters that are mistaken for each other when read aloud', () => {
    expect(Array.from({ length: 50 }, () => generatePassword()).join('')).not.toMatch(/[0O1lI]/)
  })
})
