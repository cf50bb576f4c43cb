import { z } from 'zod'
import { pathStep } from '../identity/session.endpoints.ts'
import { defineEndpoint, idInQuery, rowOf } from '../kit/index.ts'
import { maintenanceHours, organisation } from './organisation.resource.ts'

const departmentNode = z
  .object({
    id: z.number(),
    name: z.string(),
    type: z.number().int(),
    parentId: z.number().nullable(),
    path: z.array(pathStep),
    childCount: z.number().int(),
    /** Null for whoever may not list them there. */
    deviceCount: z.number().int().nullable(),
    personCount: z.number().int().nullable(),
  })
  .meta({ id: 'DepartmentNode' })
export type DepartmentNode = z.output<typeof departmentNode>

const id = idInQuery(() => organisation)

/** Children of one department (or the tops of what the caller sees); with `keyword`, hits with their path. */
export const departments = defineEndpoint({
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
  answer: z.object({ rows: z.array(departmentNode) }),
})
export const organisationDetail = defineEndpoint({
  name: 'organisationDetail',
  method: 'GET',
  path: '/api/v1/oauth/depts/detail',
  perm: 'org:list:list',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id }),
  answer: z.object({
    row: rowOf(() => organisation),
    /** The maintenance window in force, its own or that of an organisation above. */
    maintenance: z.object({ ...maintenanceHours, own: z.boolean() }).nullable(),
    path: z.array(pathStep),
    counts: z.object({
      children: z.number().int(),
      devices: z.number().int().nullable(),
      persons: z.number().int().nullable(),
      administrators: z.number().int(),
    }),
    administrators: z.array(
      z.object({ id: z.number(), username: z.string(), realName: z.string(), type: z.number().int() }),
    ),
    children: z.array(departmentNode),
  }),
})
export const organisationEndpoints = [departments, organisationDetail]
