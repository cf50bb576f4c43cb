import { identityErrors, role } from '@campanile/contract'
import { sql } from 'kysely'
import { ofDepartment } from '../../kit/department.ts'
import { bindTable } from '../../kit/table.ts'

const place = ofDepartment()

export const roleTable = bindTable(role, {
  name: 'sys_role',
  joins: sql`${place.joins} left join sys_user creator on creator.id = t.creator_id`,
  columns: {
    ...place.columns,
    creatorName: sql`creator.real_name`,
    userCount: sql`(select count(*) from user_role ur where ur.role_id = t.id)`,
    // Depends on who asks: filled in by role.service.ts
    own: sql`false`,
  },
  filters: place.filters,
  path: place.path,
  constraints: {
    sys_role_name: identityErrors.roleNameExists,
    user_role_role_id_fkey: identityErrors.roleInUse,
  },
})
