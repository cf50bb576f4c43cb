import { device, organisation, organisationErrors, user } from '@campanile/contract'
import { sql } from 'kysely'
import { countListable } from '../../kit/department.ts'
import { reaches } from '../../kit/scope.ts'
import { bindTable } from '../../kit/table.ts'
import { nextPromotion } from './next-promotion.ts'

const place = { id: sql`t.id`, path: sql`t.path` }
/** What stands below a department, for those who may list it there. */
export const heldBelow = {
  deviceCount: countListable('device', place, device.perms.list),
  personCount: countListable('person', place, user.perms.list),
}

export const organisationTable = bindTable(organisation, {
  name: 'department',
  joins: sql`left join department p on p.id = t.parent_id`,
  columns: {
    // Nothing above the caller's reach is theirs to see, not even a name.
    parentName: (scope) =>
      scope.everything ? sql`p.name` : sql`case when ${reaches(scope, sql`p.path`)} then p.name end`,
    nextPromotion: nextPromotion(sql`t.auto_promotion`, sql`t.promotion_date`),
    ...heldBelow,
    childCount: sql`(select count(*) from department child where child.parent_id = t.id)`,
  },
  filters: {
    ancestorId: (ids: readonly number[]) =>
      sql`t.path <@ any(array(select above.path from department above where above.id = any(${ids}))) and t.id <> all(${ids})`,
  },
  path: sql`t.path`,
  key: ['parentId', 'name'],
  constraints: {
    department_sibling_name: organisationErrors.nameExists,
    // What the checks before a removal missed, because it arrived in between.
    department_parent_id_fkey: organisationErrors.hasChildren,
    sys_user_department_id_fkey: organisationErrors.hasDevicesOrPeople,
    device_department_id_fkey: organisationErrors.hasDevicesOrPeople,
    user_role_role_id_fkey: organisationErrors.hasDevicesOrPeople,
    // The other end was changed at the same time.
    department_maintenance_whole: organisationErrors.maintenanceHalf,
    department_maintenance_length: organisationErrors.maintenanceEmpty,
  },
})
