import { captcha, login, loginSingle, logout, refreshSession } from '@campanile/contract'
import type { Kit } from '../../kit/route.ts'
import type { Account } from './account.store.ts'
import type { Captchas } from './captcha.service.ts'
import type { Login } from './login.service.ts'
import type { Sessions } from './session.service.ts'

const module = 'session'

interface Rooms {
  readonly captchas: Captchas
  readonly login: Login
  readonly sessions: Sessions
}

export const mountSessions = (kit: Kit, rooms: Rooms) => {
  kit.open(captcha, module, (call) => rooms.captchas.draw(call.caller))
  kit.open(
    login,
    module,
    (call) => {
      call.note({ type: 'signIn', claimedName: call.input.username })
      return rooms.login.byPassword(call.input, call.caller, (account: Account) => call.note({ actor: account }))
    },
    'apart',
  )
  kit.guarded(loginSingle, module, async (call) => {
    const signedIn = await rooms.sessions.enter(call.db, call.actor, call.input.departmentId, call.caller)
    call.note({ description: signedIn.user.operating?.departmentName ?? '' })
    return signedIn
  })
  kit.guarded(refreshSession, module, (call) => rooms.sessions.refresh(call.db, call.actor))
  kit.guarded(logout, module, async (call) => {
    call.note({ type: 'signOut' })
    await rooms.sessions.end(call.db, call.actor)
    return {}
  })
}
