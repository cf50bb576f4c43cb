import { identityErrors, role } from '@campanile/contract'
import { sql } from 'kysely'
import { plainTable } from '../../kit/plain.ts'
import { reaches } from '../../kit/scope.ts'

export const roleTable = plainTable(role, {
  name: 'sys_role',
  columns: {
    userCount: (scope) => sql`(select count(*) from user_role ur join sys_user u on u.id = ur.user_id
      join department ud on ud.id = u.department_id where ur.role_id = t.id and ${reaches(scope, sql`ud.path`)})`,
    // Depends on who asks: filled in by role.service.ts
    own: sql`false`,
  },
  constraints: {
    sys_role_name: identityErrors.roleNameExists,
    user_role_role_id_fkey: identityErrors.roleInUse,
  },
})
