import { tellSignedOut } from '../api.ts'
import { askToLeave } from '../tabs/ask.ts'
import { leaveOnPurpose } from '../tabs/leaving.ts'
import { anyDirty } from '../tabs/unsaved.ts'
import { closeSession } from './session.ts'

/** Ends the session on the server and here. The page is loaded anew, so nothing of it stays in memory. */
export async function signOut(): Promise<void> {
  if (anyDirty() && !(await askToLeave([]))) return
  try {
    await tellSignedOut('/api/v1/oauth/logout')
  } catch {
    // Gone already or out of reach: here it ends all the same.
  }
  leaveOnPurpose()
  closeSession()
  window.location.assign('/login?redirect=/home')
}
