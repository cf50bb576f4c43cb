/** What the guard needs to know about one navigation. */
export type GuardFacts = {
  path: string
  signedIn: boolean
  pendingLogin: boolean
  menuLoaded: boolean
  passwordExpired: boolean
}

export type Verdict =
  | { kind: 'allow' }
  | { kind: 'redirect'; to: string }
  /** Forget everything of a session, then go. */
  | { kind: 'signOut'; to: string }
  /** Load the menu, then ask again. */
  | { kind: 'loadMenu' }

const allow: Verdict = { kind: 'allow' }

/** Where an address leads, rule by rule in their order (behaviour: console.guard). */
export function judge({ path, signedIn, pendingLogin, menuLoaded, passwordExpired }: GuardFacts): Verdict {
  if (path === '/privacy') return allow
  const isSignIn = path === '/login'
  const isSecondStep = path === '/login/2fa'
  if (!signedIn) {
    if (isSignIn || (isSecondStep && pendingLogin)) return allow
    return { kind: 'signOut', to: '/login?redirect=/home' }
  }
  if (isSignIn || isSecondStep) return { kind: 'redirect', to: '/home' }
  if (!menuLoaded) return { kind: 'loadMenu' }
  if (passwordExpired && path !== '/personal') return { kind: 'redirect', to: '/personal' }
  if (path === '/') return { kind: 'redirect', to: '/home' }
  return allow
}
