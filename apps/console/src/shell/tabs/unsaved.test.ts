// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest'
import { closeSession, openSession, type Session } from '../session/session.ts'
import {
  cameBack,
  forgetDirty,
  isDirty,
  markUnsaved,
  mostKept,
  restoreUnsaved,
  wouldLose,
  writeUnsaved,
} from './unsaved.ts'

const session = (uid: number, departmentId = 1) =>
  ({ token: `t${uid}`, user: { uid, departmentId, operating: null } }) as unknown as Session

/** Everything in memory is gone; what the window holds is read again. */
const reload = (isValid: (key: string) => boolean = () => true) => {
  window.dispatchEvent(new Event('pagehide'))
  writeUnsaved()
  restoreUnsaved(isValid)
}
const type = (text: string, form = 'device') =>
  markUnsaved('/device/list', form, { text: JSON.stringify(text), whole: true })
const stored = () => Object.keys(sessionStorage).filter((key) => key.includes('unsaved'))

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
  localStorage.clear()
  openSession(session(7))
  restoreUnsaved(() => true)
})

it('what was typed is there again after the page was loaded anew, and nothing would be lost by that', () => {
  type('T2-000')
  expect([isDirty('/device/list'), wouldLose()]).toEqual([true, false])
  reload()
  expect([cameBack('/device/list', 'device'), isDirty('/device/list')]).toEqual(['T2-000', true])
})

it('a form that is drawn again holds it from then on, so that the next one of the kind starts empty', () => {
  type('T2-000')
  reload()
  type('T2-0001')
  expect(cameBack('/device/list', 'device')).toBeUndefined()
})

it('nothing is written down of what was saved, given up or closed', () => {
  type('saved')
  markUnsaved('/device/list', 'device', undefined)
  type('closed', 'other')
  forgetDirty('/device/list')
  vi.runAllTimers()
  expect(stored()).toEqual([])
})

it('it goes with the session, also while a write is waiting', () => {
  type('secret plan')
  writeUnsaved()
  type('secret plans')
  closeSession()
  vi.runAllTimers()
  expect(stored()).toEqual([])
})

it('another person, or another organisation, finds nothing and leaves nothing', () => {
  for (const other of [session(8), session(7, 2)]) {
    openSession(session(7))
    type('T2-000')
    writeUnsaved()
    openSession(other)
    restoreUnsaved(() => true)
    vi.runAllTimers()
    expect([cameBack('/device/list', 'device'), stored()]).toEqual([undefined, []])
  }
})

it('a page that is no longer permitted brings nothing back', () => {
  type('T2-000')
  reload(() => false)
  expect(isDirty('/device/list')).toBe(false)
})

it('leaving asks for what cannot be kept: a secret, or more than there is room for', () => {
  markUnsaved('/system/user', 'user', { text: '{}', whole: false })
  expect(wouldLose()).toBe(true)
  forgetDirty('/system/user')
  type('x'.repeat(mostKept))
  expect(wouldLose()).toBe(true)
})
