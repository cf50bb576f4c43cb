import type { Services } from '../../services.ts'
import { createAttempts } from './attempt.service.ts'
import { createCaptchas } from './captcha.service.ts'
import { createLogin } from './login.service.ts'
import { mountSessions } from './session.routes.ts'
import { createSessions } from './session.service.ts'
import { createSignIn } from './sign-in.service.ts'

export { usernameKey } from './account.ts'
export { createActorOf } from './actor-of.ts'
export { createAuthenticate } from './authenticate.ts'
export { notify } from './notification.store.ts'
export { endSessionsOf } from './session.store.ts'

export const mountIdentity = (services: Services) => {
  const { db, kit, rateLimit } = services
  const sessions = createSessions(services)
  const captchas = createCaptchas(services)
  const attempts = createAttempts(services)
  const signIn = createSignIn(services, sessions)
  const login = createLogin({ db, rateLimit, captchas, attempts, signIn })
  mountSessions(kit, { captchas, login, sessions })
}
