import { type Client, createClient, isApiError } from '@campanile/client'
import { changePasswordPath } from '@campanile/contract/identity'
import { apiBase } from './apiBase.ts'
import { endSession } from './session/endSession.ts'
import { currentSession, sessionReplaced } from './session/session.ts'
import { signBackIn } from './session/signBackIn.ts'
import { currentLanguage } from './texts.ts'

const client = createClient({
  baseUrl: apiBase,
  language: currentLanguage,
  token: () => currentSession()?.token,
  originToken: () => currentSession()?.originToken,
})

let ended = false
/** The session's end has one message and the page is about to reload: a screen that goes on waiting adds no second one. */
const untilReload = <T>() => new Promise<T>(() => undefined)

/**
 * A session that was refused is over, unless a new token has taken its place meanwhile, or takes it now that the person is
 * asked for the password: then the call is made again with that one, as long as it still means the same organisation.
 */
const inSession = async <T>(path: string, call: () => Promise<T>): Promise<T> => {
  const before = currentSession()
  try {
    return await call()
  } catch (error) {
    if (ended) return untilReload<T>()
    if (!isApiError(error) || error.kind !== 'session' || before === undefined) throw error
    // The change of password is what the others wait for.
    if (path !== changePasswordPath) await sessionReplaced()
    if (currentSession()?.token === before.token && !(await signBackIn())) {
      ended = true
      endSession()
      return untilReload<T>()
    }
    const now = currentSession()
    if (now?.user.operating?.departmentId !== before.user.operating?.departmentId) throw error
    return await call()
  }
}

/** For somebody whose token is not the one of this window's session yet. */
export const apiAs = (token: string): Client =>
  createClient({ baseUrl: apiBase, language: currentLanguage, token: () => token })

/** The session's own end: whatever it answers, nobody is asked to come back. */
export const tellSignedOut = (path: string): Promise<unknown> =>
  client.call('DELETE', path, { origin: true, timeout: 5_000 })

/** The one connection to the server; every screen calls through it. */
export const api: Client = {
  call: (method, path, options) => inSession(path, () => client.call(method, path, options)),
  upload: (path, form, options) => inSession(path, () => client.upload(path, form, options)),
  put: (path, bytes, options) => inSession(path, () => client.put(path, bytes, options)),
  download: (path, options) => inSession(path, () => client.download(path, options)),
}
