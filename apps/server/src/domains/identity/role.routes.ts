import { assignableRoles, grantableMenus, menuDetail, menuTree, navigation, roleDetail } from '@campanile/contract'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Kit } from '../../kit/route.ts'
import { findRow } from '../../kit/rows.ts'
import type { Services } from '../../services.ts'
import { createMenus } from './menu.service.ts'
import { asTree, readMenus } from './menu.store.ts'
import { menuTable } from './menu.table.ts'
import { createNavigation } from './navigation.service.ts'
import { createRoles } from './role.service.ts'
import { roleTable } from './role.table.ts'

/** Roles, the menu tree they are cut from, and what of it a caller sees. */
export const mountRoles = (kit: Kit, services: Pick<Services, 'clock' | 'settings'>) => {
  const roles = createRoles(services)
  const menus = createMenus()
  const navigations = createNavigation(services)

  mount(kit, roleTable, { list: roles.list, create: roles.create, update: roles.update, remove: roles.remove })
  kit.guarded(roleDetail, 'role', roles.detail)
  kit.guarded(assignableRoles, 'role', async (call) => ({ rows: await roles.assignable(call) }))
  kit.guarded(grantableMenus, 'role', async ({ db, actor }) => ({ rows: await navigations.grantable(db, actor) }))

  mount(kit, menuTable, { list: byDefault, create: menus.create, update: menus.update, remove: menus.remove })
  kit.guarded(menuTree, 'menu', async ({ db }) => ({
    rows: asTree((await readMenus(db)).map(({ key, ...row }) => row)),
  }))
  kit.guarded(menuDetail, 'menu', ({ db, scope, input }) => findRow(db, menuTable, scope, input.id))

  kit.guarded(navigation, 'session', ({ db, actor }) => navigations.read(db, actor))
}
