import { identityErrors, type loginStates, user } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { countReached, ofDepartment } from '../../kit/department.ts'
import { reaches } from '../../kit/scope.ts'
import { bindTable } from '../../kit/table.ts'
import { presetNames } from './role-presets.ts'

/** The same rules decide at sign-in, see `account.ts` (behaviour: sign-in.state). */
const loginStatus = sql`case
  when t.disabled then 'disabled'
  when t.locked_until > now() then 'locked'
  when t.valid_start > current_date or t.valid_end < current_date then 'expired'
  else 'normal' end`

const place = ofDepartment()

/** Of a role `r` and the department `home` it is kept in: what is shipped is known to everybody. */
export const isTold = (scope: Scope) => sql<SqlBool>`(r.preset is not null or ${reaches(scope, sql`home.path`)})`

export const userTable = bindTable(user, {
  name: 'sys_user',
  joins: place.joins,
  columns: {
    ...place.columns,
    // A role kept above the caller's reach counts like any other, but goes without its name and its number.
    roleIds: (scope) => sql`array(select ur.role_id from user_role ur join sys_role r on r.id = ur.role_id
      join department home on home.id = r.department_id where ur.user_id = t.id and ${isTold(scope)} order by ur.role_id)`,
    roleNames: (scope) => sql`(select coalesce(jsonb_agg(named.name order by named.id), '[]')
      from (select r.id, coalesce(${presetNames}::jsonb -> r.preset, to_jsonb(r.name)) as name
        from user_role ur join sys_role r on r.id = ur.role_id join department home on home.id = r.department_id
        where ur.user_id = t.id and ${isTold(scope)}) named)`,
    loginStatus,
  },
  byLetters: ['username', 'realName'],
  filters: {
    ...place.filters,
    roleIds: (ids: readonly number[]) =>
      sql<SqlBool>`exists (select from user_role ur where ur.user_id = t.id and ur.role_id = any(${ids}))`,
    // Few are locked, and an index finds them; home asks for them each time.
    loginStatus: (states: readonly (typeof loginStates)[number][]) =>
      states.every((state) => state === 'locked')
        ? sql<SqlBool>`${states.length > 0} and t.locked_until > now() and not t.disabled`
        : sql<SqlBool>`${loginStatus} = any(${states})`,
  },
  path: place.path,
  counted: countReached('person'),
  key: ['username'],
  constraints: {
    sys_user_username_key_key: identityErrors.accountTaken,
    sys_user_signs_in_by: identityErrors.mobileTaken,
    sys_user_one_super: identityErrors.superAdminExists,
    sys_user_one_safety_officer: identityErrors.safetyOfficerExists,
    // Gone between the check and the write.
    sys_user_department_id_fkey: identityErrors.departmentRequired,
    user_role_role_id_fkey: identityErrors.roleRequired,
  },
})
