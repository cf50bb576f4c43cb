import { createClient } from '@campanile/client'
import { apiBase } from './apiBase.ts'
import { endSession } from './session/endSession.ts'
import { currentSession } from './session/session.ts'
import { currentLanguage } from './texts.ts'

/** The one connection to the server; every screen calls through it. */
export const api = createClient({
  baseUrl: apiBase,
  language: currentLanguage,
  token: () => currentSession()?.token,
  originToken: () => currentSession()?.originToken,
  onSessionEnd: () => endSession(),
})
