import {
  captcha,
  changePassword,
  confirmScanLogin,
  getAuthInfo,
  login,
  loginSingle,
  loginWith2Fa,
  loginWithSms,
  logout,
  pollScanLogin,
  publicKey,
  refreshSession,
  sendSmsCode,
  startScanLogin,
  success,
} from '@campanile/contract'
import type { PublicCall } from '../../kit/call.ts'
import type { Kit } from '../../kit/route.ts'
import { recordOperation } from '../../platform/audit.ts'
import type { Account } from './account.store.ts'
import type { Captchas } from './captcha.service.ts'
import type { createPasswordChange } from './change-password.service.ts'
import type { ExternalSignIn } from './external.service.ts'
import type { Login } from './login.service.ts'
import type { Passwords } from './password.service.ts'
import { findPlace } from './place.store.ts'
import type { ScanSignIn } from './scan.service.ts'
import type { Sessions } from './session.service.ts'
import type { SmsSignIn } from './sms.service.ts'
import type { TwoFactor } from './two-factor.service.ts'

const module = 'session'

interface Rooms {
  readonly captchas: Captchas
  readonly passwords: Passwords
  readonly login: Login
  readonly twoFactor: TwoFactor
  readonly external: ExternalSignIn
  readonly sms: SmsSignIn
  readonly scan: ScanSignIn
  readonly sessions: Sessions
  readonly changePassword: ReturnType<typeof createPasswordChange>
}

/** The log names the account that was tried, as soon as it is known whose it is. */
const naming = (call: Pick<PublicCall, 'note'>, claimedName?: string) => {
  call.note({ type: 'signIn', ...(claimedName && { claimedName }) })
  return (account: Account) => call.note({ actor: account })
}

const mountWaysIn = (kit: Kit, rooms: Rooms) => {
  kit.open(captcha, module, (call) => rooms.captchas.draw(call.caller))
  kit.open(publicKey, module, (call) => rooms.passwords.offerKey(call.caller))
  kit.open(
    login,
    module,
    (call) => rooms.login.byPassword(call.input, call.caller, naming(call, call.input.username)),
    'noTransaction',
  )
  kit.open(
    loginWith2Fa,
    module,
    (call) => rooms.twoFactor.complete(call.input.ticket, call.input.code, call.caller, naming(call)),
    'noTransaction',
  )
  kit.open(getAuthInfo, module, (call) => rooms.external(call.input.token, call.caller, naming(call)), 'noTransaction')
  kit.open(sendSmsCode, module, (call) => rooms.sms.send(call.input, call.caller), 'noTransaction')
  kit.open(
    loginWithSms,
    module,
    (call) => rooms.sms.complete(call.input, call.caller, naming(call, call.input.mobile)),
    'noTransaction',
  )
}

const mountScan = (kit: Kit, { scan }: Rooms) => {
  kit.open(startScanLogin, module, (call) => scan.start(call.db, call.caller))
  kit.guarded(confirmScanLogin, module, (call) => scan.confirm(call.db, call.actor, call.input.code))
  // Asked every few seconds: only the one answer that lets somebody in is worth a line.
  kit.open(
    pollScanLogin,
    module,
    (call) =>
      scan.poll(call.input.ticket, call.caller, (account) =>
        recordOperation(call.db, {
          actor: account,
          clientIp: call.caller.ip,
          host: call.caller.host,
          userAgent: call.caller.userAgent,
          route: `${pollScanLogin.method} ${pollScanLogin.path}`,
          module,
          type: 'signIn',
          result: 'success',
          code: success,
        }),
      ),
    'noTransaction',
  )
}

export const mountSessions = (kit: Kit, rooms: Rooms) => {
  const { sessions } = rooms
  mountWaysIn(kit, rooms)
  mountScan(kit, rooms)
  kit.guarded(loginSingle, module, async (call) => {
    const signedIn = await sessions.enter(call.db, call.actor, call.input.departmentId, call.caller)
    // What somebody from above does inside begins with coming in, and its log says so.
    const { operating } = signedIn.user
    if (operating) {
      const place = await findPlace(call.db, operating.departmentId)
      call.note({ description: operating.departmentName, actor: { ...call.actor, operating: place ?? null } })
    }
    return signedIn
  })
  kit.guarded(refreshSession, module, (call) => sessions.refresh(call.db, call.actor))
  kit.guarded(
    changePassword,
    module,
    (call) => {
      call.note({ type: 'update' })
      return rooms.changePassword(call.actor, call.input, call.caller)
    },
    'noTransaction',
  )
  kit.guarded(logout, module, async (call) => {
    call.note({ type: 'signOut' })
    await sessions.end(call.db, call.actor)
    return {}
  })
}
