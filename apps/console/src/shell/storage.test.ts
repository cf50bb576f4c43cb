// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { clearSessionStorage, readStored, writeStored } from './storage.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it('the end of a session forgets what belongs to it and keeps language, theme and layout', () => {
  writeStored('local', 'session.current', 'token')
  writeStored('tab', 'session.batch', [1])
  writeStored('local', 'language', 'zh-TW')
  writeStored('local', 'settings', { scheme: 'dark' })
  localStorage.setItem('of-another-program', 'x')
  clearSessionStorage()
  expect(readStored('local', 'session.current')).toBeUndefined()
  expect(readStored('tab', 'session.batch')).toBeUndefined()
  expect(readStored('local', 'language')).toBe('zh-TW')
  expect(readStored('local', 'settings')).toEqual({ scheme: 'dark' })
  expect(localStorage.getItem('of-another-program')).toBe('x')
})
