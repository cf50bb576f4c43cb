import { z } from 'zod'
import { defineEndpoint, idInQuery } from '../kit/index.ts'
import type { MenuItem } from './menu.resource.ts'

const id = idInQuery('role')

/** Both halves of a role, to view or to copy; and what the caller may grant at all. */
export const roleDetail = defineEndpoint<{
  id: number
  name: string
  remark: string | null
  own: boolean
  menuIds: number[]
  departmentIds: number[]
}>()({
  name: 'roleDetail',
  method: 'GET',
  path: '/api/v1/oauth/roles/detail',
  perm: 'system:role:list',
  scope: 'organisation',
  input: z.strictObject({ id }),
})
export const grantableMenus = defineEndpoint<{ rows: MenuItem[] }>()({
  name: 'grantableMenus',
  method: 'GET',
  path: '/api/v1/oauth/roles/menus',
  perm: 'system:role:list',
  scope: 'organisation',
  input: z.strictObject({}),
})
/** Roles the caller may give to a user. */
export const assignableRoles = defineEndpoint<{ rows: { id: number; name: string; departmentName: string }[] }>()({
  name: 'assignableRoles',
  method: 'GET',
  path: '/api/v1/oauth/roles/assignable',
  perm: 'system:user:list',
  scope: 'organisation',
  input: z.strictObject({ keyword: z.string().max(64).optional() }),
})
export const roleEndpoints = [roleDetail, grantableMenus, assignableRoles]
