import { describe, expect, it } from 'vitest'
import { type GuardFacts, judge } from './guard.ts'

const signedOut: GuardFacts = {
  path: '/home',
  signedIn: false,
  pendingLogin: false,
  menuLoaded: false,
  passwordExpired: false,
}
const signedIn: GuardFacts = { ...signedOut, signedIn: true, menuLoaded: true }

describe('without a token', () => {
  it.each(['/home', '/', '/404', '/401', '/personal', '/system/user', '/login/2fa'])(
    '%s clears the session and leads to the sign-in page',
    (path) => {
      expect(judge({ ...signedOut, path })).toEqual({ kind: 'signOut', to: '/login?redirect=/home' })
    },
  )

  it('the sign-in page and the privacy policy are open', () => {
    expect(judge({ ...signedOut, path: '/login' }).kind).toBe('allow')
    expect(judge({ ...signedOut, path: '/privacy' }).kind).toBe('allow')
  })

  it('the second step is open only while a sign-in is half done', () => {
    expect(judge({ ...signedOut, path: '/login/2fa', pendingLogin: true }).kind).toBe('allow')
    expect(judge({ ...signedOut, path: '/login/2fa', pendingLogin: false }).kind).toBe('signOut')
  })
})

describe('with a token', () => {
  it.each(['/login', '/login/2fa'])('%s leads home', (path) => {
    expect(judge({ ...signedIn, path, pendingLogin: true })).toEqual({ kind: 'redirect', to: '/home' })
  })

  it('the menu is loaded before anything is decided about a page, also an unknown one', () => {
    expect(judge({ ...signedIn, path: '/no/such/page', menuLoaded: false })).toEqual({ kind: 'loadMenu' })
  })

  it('the root leads home', () => {
    expect(judge({ ...signedIn, path: '/' })).toEqual({ kind: 'redirect', to: '/home' })
  })
})

describe('with an expired password', () => {
  it.each(['/home', '/personal/profile', '/', '/system/user', '/404'])('%s leads to the personal page', (path) => {
    expect(judge({ ...signedIn, path, passwordExpired: true })).toEqual({ kind: 'redirect', to: '/personal' })
  })

  it('the personal page itself and the privacy policy stay open', () => {
    expect(judge({ ...signedIn, path: '/personal', passwordExpired: true }).kind).toBe('allow')
    expect(judge({ ...signedIn, path: '/privacy', passwordExpired: true }).kind).toBe('allow')
  })
})
