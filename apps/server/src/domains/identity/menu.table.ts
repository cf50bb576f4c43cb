import { identityErrors, menu } from '@campanile/contract'
import { sql } from 'kysely'
import { bindTable } from '../../kit/table.ts'

export const menuTable = bindTable(menu, {
  name: 'menu',
  columns: { builtIn: sql`t.key is not null` },
  constraints: {
    menu_url: identityErrors.menuRouteExists,
    menu_button_perms: identityErrors.menuPermissionExists,
    menu_parent_id_fkey: identityErrors.menuHasChildren,
  },
})
