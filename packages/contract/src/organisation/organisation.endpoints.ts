import { z } from 'zod'
import type { PathStep } from '../identity/session.endpoints.ts'
import { defineEndpoint, idInQuery, type Row } from '../kit/index.ts'
import { organisation } from './organisation.resource.ts'

export interface DepartmentNode {
  id: number
  name: string
  type: number
  parentId: number | null
  path: PathStep[]
  childCount: number
  deviceCount: number
  personCount: number
}

const id = idInQuery(() => organisation)

/** Children of one department (or the tops of what the caller sees); with `keyword`, hits with their path. */
export const departments = defineEndpoint<{ rows: DepartmentNode[] }>()({
  name: 'departments',
  method: 'GET',
  path: '/api/v1/oauth/depts',
  perm: 'signedIn',
  scope: 'organisation',
  input: z.strictObject({
    parentId: id.optional(),
    keyword: z.string().trim().max(64).optional(),
    ids: z.preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(id).max(200).optional(),
    ),
  }),
})
export const organisationDetail = defineEndpoint<{
  row: Row<typeof organisation>
  path: PathStep[]
  counts: { children: number; devices: number; persons: number; administrators: number }
  administrators: { id: number; username: string; realName: string; type: number }[]
  children: DepartmentNode[]
}>()({
  name: 'organisationDetail',
  method: 'GET',
  path: '/api/v1/oauth/depts/detail',
  perm: 'org:list:list',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id }),
})
export const organisationEndpoints = [departments, organisationDetail]
