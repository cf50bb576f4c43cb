import { identityErrors, role } from '@campanile/contract'
import { sql } from 'kysely'
import { plainTable } from '../../kit/plain.ts'

export const roleTable = plainTable(role, {
  name: 'sys_role',
  columns: {
    userCount: sql`(select count(*) from user_role ur where ur.role_id = t.id)`,
    // Depends on who asks: filled in by role.service.ts
    own: sql`false`,
  },
  constraints: {
    sys_role_name: identityErrors.roleNameExists,
    user_role_role_id_fkey: identityErrors.roleInUse,
  },
})
