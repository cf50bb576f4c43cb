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
  sheetMaxBytes,
  text,
  timestamp,
  unsorted,
} from '../kit/index.ts'

export const licenceKinds = ['iot', 'im', 'health'] as const
export const licenceStates = ['active', 'expiring', 'expired', 'disabled', 'revoked'] as const
/** Messaging apps sell by the licence or by the time it lasts. */
export const chargeTypes = ['licence', 'duration'] as const

const shared = {
  sn: readOnly(mono(serialMax)),
  departmentId: readOnly(department()),
  departmentName: readOnly(text()),
  state: readOnly(choice(licenceStates)),
  startDate: readOnly(date()),
  expiry: readOnly(date()),
  createTime: readOnly(timestamp()),
} as const
const own = {
  iot: { type: readOnly(dictionary('iotType')) },
  im: {
    /** The nearest school above the device. */
    schoolName: readOnly(optional(unsorted(text()))),
    corpId: readOnly(optional(mono(64))),
    licenceNo: readOnly(optional(mono(64))),
    chargeType: readOnly(optional(choice(chargeTypes))),
  },
  /** The province whose health-code interface it is for. */
  health: { interface: readOnly(optional(text(64))) },
} as const

const ids = z.array(z.number().int().positive()).min(1).max(devicesMax)
const months = z.number().int().min(1).max(120)
const sns = z.array(z.string().regex(serialNumber).max(serialMax)).min(1).max(devicesMax)
const word = z.string().trim().min(1).max(64)

const columns = {
  before: ['sn', 'departmentId', 'state'],
  after: ['startDate', 'expiry', 'createTime'],
} as const
/** Until when matters most; since when hardly ever. */
const card = ['expiry', 'departmentId'] as const
const renewal = z.strictObject({ ids, months })
const chosen = z.strictObject({ ids })

/** One per device, kind and term. Where an organisation requires this kind, its devices cannot connect without. */
export const iotLicence = defineResource({
  name: 'iotLicence',
  wire: { path: '/api/v3/license/iot', listKey: 'idots' },
  fields: { ...shared, ...own.iot },
  list: {
    columns: [...columns.before, 'type', ...columns.after],
    card,
    filters: ['sn', 'departmentId', 'state', 'type'],
    sort: 'expiry',
  },
  perms: { list: 'license:iot:list', export: 'license:iot:export' },
  scope: 'organisation',
  actions: {
    authorise: {
      input: z.strictObject({ sns, type: z.number().int().min(0).max(999), months }),
      perm: 'license:iot:add',
    },
    renew: { input: renewal, perm: 'license:iot:edit' },
    revoke: { input: chosen, perm: 'license:iot:delete' },
  },
})
export const imLicence = defineResource({
  name: 'imLicence',
  wire: { path: '/api/v3/license/im' },
  fields: { ...shared, ...own.im },
  list: {
    columns: [...columns.before, 'schoolName', 'corpId', 'licenceNo', 'chargeType', ...columns.after],
    card,
    filters: ['sn', 'departmentId', 'state'],
    sort: 'expiry',
  },
  perms: { list: 'license:im:list', export: 'license:im:export' },
  scope: 'organisation',
  actions: {
    authorise: {
      input: z.strictObject({
        sns,
        months,
        chargeType: z.enum(chargeTypes),
        corpId: word.optional(),
        licenceNo: word.optional(),
      }),
      perm: 'license:im:add',
    },
    renew: { input: renewal, perm: 'license:im:edit' },
    /** The device is free for another licence. */
    revoke: { input: chosen, perm: 'license:im:edit' },
  },
})
export const healthLicence = defineResource({
  name: 'healthLicence',
  wire: { path: '/api/v3/license/health' },
  fields: { ...shared, ...own.health },
  list: {
    columns: [...columns.before, 'interface', ...columns.after],
    card,
    filters: ['sn', 'departmentId', 'state', 'interface'],
    sort: 'expiry',
  },
  perms: { list: 'license:health:list', export: 'license:health:export' },
  scope: 'organisation',
  actions: {
    authorise: { input: z.strictObject({ sns, months, interface: word }), perm: 'license:health:add' },
    renew: { input: renewal, perm: 'license:health:edit' },
    enable: { input: chosen, perm: 'license:health:edit' },
    disable: { input: chosen, perm: 'license:health:edit' },
  },
})

export const importLicences = defineEndpoint<{
  created: number
  failed: { row: number; sn: string; code: number; message: string }[]
}>()({
  name: 'importLicences',
  method: 'POST',
  path: '/api/v3/license/iot/importFile',
  perm: 'license:iot:import',
  scope: 'organisation',
  upload: { maxBytes: sheetMaxBytes },
  input: z.strictObject({}),
})
export const licenceEndpoints = [importLicences]
