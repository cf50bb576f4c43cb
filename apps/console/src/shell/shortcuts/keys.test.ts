// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { createKeyReader, isForTheShell } from './keys.ts'

describe('shortcuts', () => {
  it('of one key answer at once, of two keys in a row within a second', () => {
    let now = 0
    const read = createKeyReader(() => now)
    expect(read('r')).toBe('refresh')
    expect(read('g')).toBeUndefined()
    now += 400
    expect(read('h')).toBe('home')
    expect(read('g')).toBeUndefined()
    now += 1_500
    expect(read('h')).toBeUndefined()
  })

  it('leave typing, dialogs and modified keys alone', () => {
    document.body.innerHTML = '<input id="i"><div role="dialog"><button id="d"></button></div><button id="b"></button>'
    const press = (id: string, init: KeyboardEventInit = {}) => {
      let answer: boolean | undefined
      const listen = (event: KeyboardEvent) => {
        answer = isForTheShell(event)
      }
      window.addEventListener('keydown', listen)
      document.getElementById(id)?.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true, ...init }))
      window.removeEventListener('keydown', listen)
      return answer
    }
    expect([press('i'), press('d'), press('b'), press('b', { ctrlKey: true })]).toEqual([false, false, true, false])
  })
})
