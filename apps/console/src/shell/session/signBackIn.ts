import { create } from 'zustand'
import { currentSession, isBoundHere, useSession } from './session.ts'

interface Question {
  answer: (back: boolean) => void
}

/** The open question for the password of somebody whose session has ended; shown over the page as it is. */
export const useSignBackIn = create<{ question: Question | undefined }>(() => ({ question: undefined }))

let host: { back: () => void } | undefined
let asked: Promise<boolean> | undefined

/** Called by what shows the question, while it is there. `back`: what is done when the person is signed in again. */
export const offerSignBackIn = (back: () => void): (() => void) => {
  host = { back }
  return () => {
    host = undefined
  }
}

/**
 * Asks once, however many calls were refused. True: the same person is signed in again, in the same organisation. False at
 * once where nobody could ask, or where a password does not bring back what was: let in by scanning, or expired.
 */
export function signBackIn(): Promise<boolean> {
  const session = currentSession()
  if (!host || session === undefined || isBoundHere(session) || session.user.isExpired) return Promise.resolve(false)
  asked ??= new Promise<boolean>((resolve) => {
    const answer = (back: boolean) => {
      stopWatching()
      asked = undefined
      useSignBackIn.setState({ question: undefined })
      if (back) host?.back()
      resolve(back)
    }
    // Another window of this browser may be answered first.
    const stopWatching = useSession.subscribe((now) => now.session?.token !== session.token && answer(true))
    useSignBackIn.setState({ question: { answer } })
  })
  return asked
}
