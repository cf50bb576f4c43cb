import type { SessionUser } from '@campanile/contract/identity'
import { create } from 'zustand'
import { clearSessionStorage, onStoredElsewhere, readStored, writeStored } from '../storage.ts'

/** `originToken` is the person's own token while `token` operates on another organisation. */
export type Session = { token: string; originToken?: string; user: SessionUser }

const name = 'session.current'

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

export const useSession = create<SessionState>(() => ({ session: reveal(readStored('local', name)) }))

export const currentSession = (): Session | undefined => useSession.getState().session

/** Let in by scanning from an organisation: this browser acts there and nowhere else. */
export const isBoundHere = ({ user, originToken }: Session): boolean =>
  user.operating !== null && originToken === undefined

export function openSession(session: Session): void {
  useSession.setState({ session })
  writeStored('local', name, conceal(session))
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

/** The session other windows of this browser would open with. */
export const storedToken = (): string | undefined => reveal(readStored('local', name))?.token

export function closeSession(): void {
  useSession.setState({ session: undefined })
  clearSessionStorage()
}

const samePlace = (a: Session | undefined, b: Session | undefined) =>
  a !== undefined &&
  b !== undefined &&
  a.user.uid === b.user.uid &&
  a.user.operating?.departmentId === b.user.operating?.departmentId

/**
 * Signed out, or in as someone else, in another window: this one must not go on with what it shows. The same person in the
 * same organisation with a new token is no such thing: it goes on with that one.
 */
export function watchOtherWindows(changed: () => void): () => void {
  return onStoredElsewhere(name, () => {
    const stored = reveal(readStored('local', name))
    if (stored?.token === currentSession()?.token) return
    if (samePlace(stored, currentSession())) useSession.setState({ session: stored })
    else changed()
  })
}
