import {
  defineResource,
  linked,
  longText,
  number,
  optional,
  readOnly,
  refs,
  text,
  timestamp,
  toggle,
  unlisted,
  unsorted,
} from '../kit/index.ts'
import { department, organisation } from '../organisation/organisation.resource.ts'
import { menu } from './menu.resource.ts'

/** One for each type of administrator (behaviour: people.duties). */
export const rolePresets = ['administrator', 'safetyOfficer', 'operator', 'auditor'] as const
export type RolePreset = (typeof rolePresets)[number]

/** Operations on departments, granted together (behaviour: roles.pairs). Only its creator changes it; a preset nobody. */
export const role = defineResource({
  name: 'role',
  wire: { path: '/api/v1/oauth/roles', listKey: 'sysRole', idsKey: 'roleIds' },
  fields: {
    name: text(64),
    remark: optional(longText(256)),
    /** The operations: entries of the menu tree. Read back by `roleDetail`. */
    menuIds: unlisted(linked(refs(() => menu, undefined, 10_000))),
    /** Where they are allowed: only the roots of the subtrees, never the half-ticked departments above them. */
    departmentIds: unlisted(linked(refs(() => organisation, undefined, 1000))),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(unsorted(text()))),
    userCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    own: readOnly(unsorted(toggle())),
    /** Shipped with the product for a type of administrator; made anew for each SI, enterprise and school. */
    preset: readOnly(optional(unsorted(text()))),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'remark', 'departmentId', 'creatorName', 'userCount', 'createTime'],
    filters: ['name', 'departmentId'],
    sort: 'name',
  },
  form: { basics: ['name', 'remark'], operations: ['menuIds'], data: ['departmentIds'] },
  perms: {
    list: 'system:role:list',
    create: 'system:role:add',
    update: 'system:role:edit',
    remove: 'system:role:delete',
  },
  scope: 'organisation',
  palette: { tells: ['departmentName', 'remark'] },
})
