import { z } from 'zod'
import { defineEndpoint, idInQuery } from '../kit/index.ts'
import { menuItem } from './menu.resource.ts'

const id = idInQuery('role')

/** Both halves of a role, to view or to copy; and what the caller may grant at all. */
export const roleDetail = defineEndpoint({
  name: 'roleDetail',
  method: 'GET',
  path: '/api/v1/oauth/roles/detail',
  perm: 'system:role:list',
  scope: 'organisation',
  input: z.strictObject({ id }),
  answer: z.object({
    id: z.number(),
    name: z.string(),
    remark: z.string().nullable(),
    own: z.boolean(),
    menuIds: z.array(z.number()),
    departmentIds: z.array(z.number()),
  }),
})
export const grantableMenus = defineEndpoint({
  name: 'grantableMenus',
  method: 'GET',
  path: '/api/v1/oauth/roles/menus',
  perm: 'system:role:list',
  scope: 'organisation',
  input: z.strictObject({}),
  answer: z.object({ rows: z.array(menuItem) }),
})
/** Roles the caller may give to a user. */
export const assignableRoles = defineEndpoint({
  name: 'assignableRoles',
  method: 'GET',
  path: '/api/v1/oauth/roles/assignable',
  perm: 'system:user:list',
  scope: 'organisation',
  input: z.strictObject({ keyword: z.string().max(64).optional() }),
  answer: z.object({ rows: z.array(z.object({ id: z.number(), name: z.string(), departmentName: z.string() })) }),
})
export const roleEndpoints = [roleDetail, grantableMenus, assignableRoles]
