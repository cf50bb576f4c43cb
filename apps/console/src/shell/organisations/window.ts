import type { SignedIn } from '@campanile/contract/identity'
import { api } from '../api.ts'
import { currentSession, isBoundHere, openSession, ownSession } from '../session/session.ts'
import { baseOf, organisationHere } from './address.ts'

let rebuild = (): void => window.location.reload()

/** Whoever draws the pages draws them anew for another organisation. */
export function onMove(draw: () => void): void {
  rebuild = draw
}

/** This window goes on at another organisation, or with undefined at one's own; every link on it says so. */
export function moveWindow(organisation: number | undefined, page: string): void {
  window.history.replaceState(null, '', baseOf(organisation) + page)
  rebuild()
}

/** A token that operates on the organisation; asked for as oneself, and refused as if it did not exist. */
export async function enterOrganisation(departmentId: number): Promise<void> {
  const session = currentSession()
  if (session === undefined) return
  const own = ownSession(session)
  const answer = await api.call<SignedIn>('POST', '/api/v1/oauth/login/single', {
    body: { departmentId },
    origin: true,
  })
  openSession({ ...answer, originToken: own.token })
}

/** A link was opened here: the window enters the organisation it names (behaviour: console.window). Where that may not be, `refused`. */
export async function enterAddressed(): Promise<'here' | 'own' | 'refused'> {
  const wanted = organisationHere()
  const session = currentSession()
  if (session === undefined || wanted === session.user.operating?.departmentId) return 'here'
  if (wanted === undefined) return 'here'
  if (isBoundHere(session)) return 'refused'
  if (wanted === session.user.departmentId) return 'own'
  try {
    await enterOrganisation(wanted)
    return 'here'
  } catch {
    return 'refused'
  }
}
