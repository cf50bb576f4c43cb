import { showSessionEnded } from '../feedback.ts'
import { organisationHere } from '../organisations/address.ts'
import { clearSessionStorage } from '../storage.ts'
import { leaveOnPurpose } from '../tabs/leaving.ts'
import { placeNow } from '../tabs/place.ts'
import { rememberPlace } from './returnOffer.ts'
import { currentSession, isStored } from './session.ts'
import { createSessionEnd } from './sessionEnd.ts'

/** 100006, HTTP 302 or 401: one message, then one reload that the guard turns into the sign-in page. */
export const endSession = createSessionEnd({
  leave: () => {
    const session = currentSession()
    const place = placeNow()
    if (session !== undefined && place !== undefined)
      rememberPlace({ uid: session.user.uid, organisation: organisationHere(), ...place })
    // Only the stored session goes now: what is on screen stays readable until the reload. Another window may have a new
    // one already, which the reload then goes on with.
    if (isStored(session)) clearSessionStorage()
    leaveOnPurpose()
  },
  show: showSessionEnded,
  reload: () => window.location.reload(),
})
