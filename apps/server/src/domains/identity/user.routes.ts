import { byDefault, mount } from '../../kit/mount.ts'
import type { Kit } from '../../kit/route.ts'
import type { Services } from '../../services.ts'
import { generatePassword } from './generate-password.ts'
import type { Passwords } from './password.service.ts'
import { createUsers } from './user.service.ts'
import { userTable } from './user.table.ts'

export const mountUsers = (kit: Kit, deps: Pick<Services, 'clock'> & { passwords: Passwords }) => {
  const users = createUsers(deps)
  mount(kit, userTable, {
    list: users.list,
    create: users.create,
    update: users.update,
    remove: users.remove,
    export: byDefault,
    import: {
      create: users.createImported,
      check: users.checkImported,
      secrets: { password: (typed) => deps.passwords.refuseWeak(typed, 'other') },
      generate: { password: generatePassword },
    },
    actions: {
      resetPassword: users.resetPassword,
      unlock: users.unlock,
      enable: users.enable,
      disable: users.disable,
      requireTwoFactor: users.requireTwoFactor,
      resetTwoFactor: users.resetTwoFactor,
    },
  })
}
