import type { SessionUser } from '@campanile/contract/identity'
import { create } from 'zustand'
import { organisationHere } from '../organisations/address.ts'
import { clearSessionStorage, onStoredElsewhere, readStored, writeStored } from '../storage.ts'

/** `originToken` is the person's own token while `token` operates on another organisation. */
export type Session = { token: string; originToken?: string; user: SessionUser }

const name = 'session.current'
/** What this window operates on; the others of the browser have their own. */
const operatingName = 'session.operating'

/** Only obfuscation, so that personal fields are not readable at a glance in the browser's storage; never a boundary. */
const conceal = (session: Session): string => btoa(encodeURIComponent(JSON.stringify(session)))

function reveal(stored: unknown): Session | undefined {
  if (typeof stored !== 'string') return undefined
  try {
    const session: unknown = JSON.parse(decodeURIComponent(atob(stored)))
    return isSession(session) ? session : undefined
  } catch {
    return undefined
  }
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'token' in value && 'user' in value && typeof value.token === 'string'

type SessionState = { session: Session | undefined }

/** As oneself, whatever is operated on. */
export const ownSession = ({ token, originToken, user }: Session): Session =>
  originToken === undefined ? { token, user } : { token: originToken, user: { ...user, operating: null } }

/** One's own, or what this window operated on before it was loaded anew, when its address still says so. */
function stored(): Session | undefined {
  const kept = reveal(readStored('local', name))
  const own = kept && ownSession(kept)
  const operating = reveal(readStored('tab', operatingName))
  const isHere = operating?.originToken === own?.token && operating?.user.operating?.departmentId === organisationHere()
  return own !== undefined && operating !== undefined && isHere ? operating : own
}

export const useSession = create<SessionState>(() => ({ session: stored() }))

export const currentSession = (): Session | undefined => useSession.getState().session

/** Let in by scanning from an organisation: this browser acts there and nowhere else. */
export const isBoundHere = ({ user, originToken }: Session): boolean =>
  user.operating !== null && originToken === undefined

export function openSession(session: Session): void {
  useSession.setState({ session })
  const isOwn = session.originToken === undefined
  writeStored('tab', operatingName, isOwn ? undefined : conceal(session))
  if (isOwn) writeStored('local', name, conceal(session))
}

let replacing: Promise<unknown> = Promise.resolve()

/** A new token that takes the place of this one, which is over before the answer is here. */
export async function replaceSession(ask: () => Promise<Session>): Promise<void> {
  const asked = ask().then(openSession)
  replacing = asked.catch(() => undefined)
  await asked
}

/** Settles when no replacement is under way. */
export const sessionReplaced = (): Promise<unknown> => replacing

/** Whether other windows of this browser would open with the same session as oneself. */
export const isStored = (session: Session | undefined): boolean => {
  const kept = reveal(readStored('local', name))
  return (kept && ownSession(kept).token) === (session && ownSession(session).token)
}

export function closeSession(): void {
  useSession.setState({ session: undefined })
  clearSessionStorage()
}

/**
 * Signed out, or in as someone else, in another window: this one must not go on with what it shows. The same person with a new
 * token is no such thing: as oneself one goes on with that one, and where another organisation is entered its own token counts.
 */
export function watchOtherWindows(changed: () => void): () => void {
  return onStoredElsewhere(name, () => {
    const here = currentSession()
    if (isStored(here)) return
    const kept = reveal(readStored('local', name))
    if (here === undefined || kept === undefined || kept.user.uid !== here.user.uid) changed()
    else if (here.originToken === undefined) useSession.setState({ session: ownSession(kept) })
  })
}
