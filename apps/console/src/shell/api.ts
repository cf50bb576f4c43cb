import { type Client, createClient } from '@campanile/client'
import { apiBase } from './apiBase.ts'
import { endSession } from './session/endSession.ts'
import { currentSession } from './session/session.ts'
import { currentLanguage } from './texts.ts'

let ended = false

const client = createClient({
  baseUrl: apiBase,
  language: currentLanguage,
  token: () => currentSession()?.token,
  originToken: () => currentSession()?.originToken,
  onSessionEnd: () => {
    ended = true
    endSession()
  },
})

/** The session's end has one message and the page is about to reload: a screen that goes on waiting adds no second one. */
const untilReload = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (ended) return new Promise<T>(() => undefined)
    throw error
  })

/** The one connection to the server; every screen calls through it. */
export const api: Client = {
  call: (...args) => untilReload(client.call(...args)),
  upload: (...args) => untilReload(client.upload(...args)),
  download: (...args) => untilReload(client.download(...args)),
}
