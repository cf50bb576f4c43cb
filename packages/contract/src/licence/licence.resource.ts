import { z } from 'zod'
import { serial, serials } from '../device/facts.ts'
import {
  choice,
  date,
  defineEndpoint,
  defineResource,
  dictionary,
  mono,
  number,
  optional,
  readOnly,
  sheetMaxBytes,
  text,
  timestamp,
  unsorted,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

export const licenceKinds = ['iot', 'im', 'health'] as const
export const licenceStates = ['active', 'expiring', 'expired', 'disabled', 'revoked'] as const
/** Messaging apps sell by the licence or by the time it lasts. */
export const chargeTypes = ['licence', 'duration'] as const

const shared = {
  sn: readOnly(serial()),
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

const months = number(1, 120)
const authorised = z.object({ authorised: z.number().int() })
const renewed = z.object({ renewed: z.number().int() })
const changed = z.object({ changed: z.number().int() })

const columns = {
  before: ['sn', 'departmentId', 'state'],
  after: ['startDate', 'expiry', 'createTime'],
} as const
/** Until when matters most; since when hardly ever. */
const card = ['expiry', 'departmentId'] as const
const renew = { on: 'rows', fields: { months }, answer: renewed } as const
const change = { on: 'rows', answer: changed } as const

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
      on: 'list',
      perm: 'license:iot:add',
      fields: { sns: serials(), type: dictionary('iotType'), months },
      answer: authorised,
    },
    renew: { ...renew, perm: 'license:iot:edit' },
    revoke: { ...change, perm: 'license:iot:delete', destroys: true },
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
      on: 'list',
      perm: 'license:im:add',
      fields: {
        sns: serials(),
        months,
        chargeType: choice(chargeTypes),
        corpId: optional(mono(64)),
        licenceNo: optional(mono(64)),
      },
      answer: authorised,
    },
    renew: { ...renew, perm: 'license:im:edit' },
    /** The device is free for another licence. */
    revoke: { ...change, perm: 'license:im:edit', destroys: true },
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
    authorise: {
      on: 'list',
      perm: 'license:health:add',
      fields: { sns: serials(), months, interface: text(64) },
      answer: authorised,
    },
    renew: { ...renew, perm: 'license:health:edit' },
    enable: { ...change, perm: 'license:health:edit' },
    disable: { ...change, perm: 'license:health:edit' },
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
