import { z } from 'zod'
import {
  defineResource,
  department,
  longText,
  number,
  optional,
  readOnly,
  text,
  timestamp,
  toggle,
  unsorted,
} from '../kit/index.ts'

const ids = z.array(z.number().int().positive()).max(10_000)

/** What a role grants: operations (menu ids) on departments. Both halves belong together: see readings 164. */
export const roleGrants = z.strictObject({ menuIds: ids.min(1), departmentIds: ids.min(1) })

/** Operations on departments, granted together. Only its creator changes it. */
export const role = defineResource({
  name: 'role',
  wire: { path: '/api/v1/oauth/roles', listKey: 'sysRole', idsKey: 'roleIds' },
  fields: {
    name: text(64),
    remark: optional(longText(256)),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(unsorted(text()))),
    userCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    own: readOnly(unsorted(toggle())),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'remark', 'departmentId', 'creatorName', 'userCount', 'createTime'],
    filters: ['name', 'departmentId'],
    sort: 'name',
  },
  form: { basics: ['name', 'remark'] },
  perms: {
    list: 'system:role:list',
    create: 'system:role:add',
    update: 'system:role:edit',
    remove: 'system:role:delete',
  },
  scope: 'organisation',
})
