import { role } from '@campanile/contract'
import { defineRoom } from '../../room.ts'
import { organisation as organisationRoom } from '../organisation/index.ts'
import { createAttempts } from './attempt.service.ts'
import { createCaptchas } from './captcha.service.ts'
import { createPasswordChange } from './change-password.service.ts'
import { createExternalSignIn } from './external.service.ts'
import { mountFavourites } from './favourite.routes.ts'
import { startHousekeeping } from './housekeeping.ts'
import { needsOfAccounts } from './identity.needs.ts'
import { mountLive } from './live.routes.ts'
import { createLogin } from './login.service.ts'
import { createMessageCodes } from './message-code.service.ts'
import { createMobileChange } from './mobile.service.ts'
import { createPasswords } from './password.service.ts'
import { mountPersonal } from './personal.routes.ts'
import { mountPhotos } from './photo.routes.ts'
import { mountRoles } from './role.routes.ts'
import { detachRoles } from './role.store.ts'
import { findRolesByName } from './role-names.ts'
import { makePresetRoles } from './role-presets.ts'
import { createScanSignIn } from './scan.service.ts'
import { createSecondFactors } from './second-factor.ts'
import { mountSessions } from './session.routes.ts'
import { createSessions } from './session.service.ts'
import { createSignIn } from './sign-in.service.ts'
import { createSmsSignIn } from './sms.service.ts'
import { createTwoFactor } from './two-factor.service.ts'
import { mountUsers } from './user.routes.ts'
import { administratorsOf } from './user.store.ts'
import { createWrongPasswords } from './wrong-passwords.ts'

export { usernameKey } from './account.ts'
export { createActorOf, createActorOfSession } from './actor-of.ts'
export { createAuthenticate } from './authenticate.ts'
export { generatePassword } from './generate-password.ts'
export { syncMenus } from './menu-sync.ts'
export { plant } from './planting.ts'
export { resetPassword } from './reset-password.ts'
export { foundRole, holdersAt } from './role.store.ts'
export { fillPresetRoles } from './role-presets.ts'
export { findViews } from './saved-view.store.ts'
export { enrol, hasDefaultAdministrator } from './user-enrolment.ts'

/** People who sign in, what they may do, and what concerns each of them. */
export const identity = defineRoom({
  word: 'identity',
  after: [organisationRoom],
  tables: [
    'sys_user',
    'sys_role',
    'user_role',
    'role_menu',
    'role_department',
    'menu',
    'session',
    'login_ticket',
    'recovery_code',
    'captcha',
    'saved_view',
    'favourite',
    'sign_in_network',
  ],
  needs: needsOfAccounts,
  offers: ['decryptAll'],
  mount: (services, { organisation }) => {
    const { kit } = services
    const sessions = createSessions(services)
    const wrongPasswords = createWrongPasswords(services)
    const captchas = createCaptchas({ ...services, wrongPasswords })
    const passwords = createPasswords(services)
    const attempts = createAttempts(services)
    const codes = createMessageCodes(services)
    const secondFactors = createSecondFactors(services)
    const signIn = createSignIn({ ...services, sessions, attempts, secondFactors })
    const login = createLogin({ ...services, captchas, attempts, signIn, wrongPasswords })
    const twoFactor = createTwoFactor({ ...services, attempts, passwords, signIn, sessions, secondFactors })
    mountSessions(kit, {
      captchas,
      passwords,
      login,
      twoFactor,
      sessions,
      external: createExternalSignIn({ ...services, signIn }),
      sms: createSmsSignIn({ ...services, captchas, codes, signIn }),
      scan: createScanSignIn({ ...services, sessions, signIn }),
      changePassword: createPasswordChange({ ...services, attempts, passwords, sessions }),
    })
    const mobile = createMobileChange({ ...services, attempts, passwords, codes })
    mountPersonal(kit, { sessions, twoFactor, mobile })
    mountFavourites(kit)
    mountPhotos(services)
    mountLive(services)
    startHousekeeping(services)
    mountUsers(kit, { ...services, passwords })
    kit.longWork.imports.resolves(role, findRolesByName)
    mountRoles(kit, services)
    organisation.occupiedBy({ kind: 'person', table: 'sys_user' })
    organisation.onFounded(makePresetRoles)
    organisation.onMoved((db, to, from) => detachRoles(db, { from, to }))
    organisation.administeredBy(administratorsOf)
    return {
      /** Opens what a form has encrypted for the server; what cannot be read is answered at its field. */
      decryptAll: passwords.decryptAll,
    }
  },
})
