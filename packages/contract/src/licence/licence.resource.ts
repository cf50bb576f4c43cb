import { z } from 'zod'
import { devicesMax, serialMax, serialNumber } from '../device/device.resource.ts'
import {
  choice,
  date,
  defineEndpoint,
  defineResource,
  department,
  dictionary,
  mono,
  optional,
  readOnly,
  text,
  timestamp,
} from '../kit/index.ts'

export const licenceKinds = ['iot', 'im', 'health'] as const
export const licenceStates = ['active', 'expiring', 'expired', 'revoked'] as const
const fields = {
  sn: readOnly(mono(serialMax)),
  departmentId: readOnly(department()),
  departmentName: readOnly(text()),
  type: readOnly(dictionary('iotType')),
  state: readOnly(choice(licenceStates)),
  /** Messaging-app licences: corp id and licence number; health: the province's interface. */
  reference: readOnly(optional(text(64))),
  startDate: readOnly(date()),
  expiry: readOnly(date()),
  createTime: readOnly(timestamp()),
} as const
const list = {
  columns: ['sn', 'departmentId', 'type', 'state', 'reference', 'startDate', 'expiry', 'createTime'],
  filters: ['sn', 'departmentId', 'state', 'type'],
  sort: 'expiry',
} as const
const id = z.number().int().positive()
const term = z.number().int().min(1).max(120)

const licence = <const N extends string, const P extends string>(name: N, kind: P) =>
  defineResource({
    name,
    wire: { path: `/api/v3/license/${kind}`, ...(kind === 'iot' && { listKey: 'idots' }) },
    fields,
    list,
    perms: { list: `license:${kind}:list`, export: `license:${kind}:export` },
    scope: 'organisation',
    actions: {
      authorise: {
        input: z.strictObject({
          sns: z.array(z.string().regex(serialNumber).max(serialMax)).min(1).max(devicesMax),
          type: z.number().int().min(0).max(999),
          months: term,
          reference: z.string().trim().max(64).optional(),
        }),
        perm: `license:${kind}:add`,
      },
      renew: {
        input: z.strictObject({ ids: z.array(id).min(1).max(devicesMax), months: term }),
        perm: `license:${kind}:edit`,
      },
      revoke: { input: z.strictObject({ ids: z.array(id).min(1).max(devicesMax) }), perm: `license:${kind}:edit` },
    },
  })
/** One per device, kind and term. Where an organisation requires the first kind, its devices cannot connect without. */
export const iotLicence = licence('iotLicence', 'iot')
export const imLicence = licence('imLicence', 'im')
export const healthLicence = licence('healthLicence', 'health')

export const importLicences = defineEndpoint<{
  created: number
  failed: { row: number; sn: string; code: number; message: string }[]
}>()({
  name: 'importLicences',
  method: 'POST',
  path: '/api/v3/license/iot/importFile',
  perm: 'license:iot:import',
  scope: 'organisation',
  upload: { maxBytes: 10 * 1024 * 1024 },
  input: z.strictObject({}),
})
export const licenceEndpoints = [importLicences]
