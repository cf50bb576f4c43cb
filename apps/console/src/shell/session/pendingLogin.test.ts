// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetPendingLogin, readPendingLogin, rememberPendingLogin } from './pendingLogin.ts'

beforeEach(() => sessionStorage.clear())

describe('a half-finished sign-in', () => {
  const pending = { ticket: 'T', username: 'lee', since: 1_000, redirect: '/home' }

  it('survives a reload for five minutes and no longer', () => {
    rememberPendingLogin(pending)
    expect(readPendingLogin(1_000 + 299_999)).toEqual(pending)
    expect(readPendingLogin(1_000 + 300_000)).toBeUndefined()
    expect(readPendingLogin(1_001)).toBeUndefined()
  })

  it('is gone when cancelled', () => {
    rememberPendingLogin(pending)
    forgetPendingLogin()
    expect(readPendingLogin(1_001)).toBeUndefined()
  })
})
