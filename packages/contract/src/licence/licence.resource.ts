import { z } from 'zod'
import { serial, serials } from '../device/facts.ts'
import {
  answering,
  choice,
  date,
  defineEndpoint,
  defineResource,
  dictionary,
  idInQuery,
  mono,
  number,
  optional,
  readOnly,
  startingWith,
  text,
  timestamp,
  unlisted,
  unsorted,
} from '../kit/index.ts'
import { department, organisation } from '../organisation/organisation.resource.ts'

export const licenceKinds = ['iot', 'im', 'health'] as const
export const licenceStates = ['active', 'expiring', 'expired', 'disabled', 'revoked'] as const
/** Messaging apps sell by the licence or by the time it lasts. */
export const chargeTypes = ['licence', 'duration'] as const

const shared = {
  sn: answering({ missing: 30101, wrong: 204010 }, serial()),
  departmentId: readOnly(department()),
  departmentName: readOnly(text()),
  state: readOnly(choice(licenceStates)),
  startDate: readOnly(date()),
  expiry: readOnly(date()),
  createTime: readOnly(timestamp()),
} as const
const months = number(1, 120)
/** What a line of a file says beside the device; a person gives it to many devices at once. */
const term = { months: unlisted(months) } as const
const own = {
  iot: { type: startingWith(0, dictionary('iotType')), ...term },
  im: {
    /** The nearest school above the device. */
    schoolName: readOnly(optional(unsorted(text()))),
    chargeType: startingWith('licence', optional(choice(chargeTypes))),
    corpId: optional(mono(64)),
    licenceNo: optional(mono(64)),
    ...term,
  },
  /** The province whose health-code interface it is for. */
  health: { interface: readOnly(optional(text(64))) },
} as const

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
  perms: { list: 'license:iot:list', export: 'license:iot:export', import: 'license:iot:import' },
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
  // Whoever may assign licences may assign them by a file.
  perms: { list: 'license:im:list', export: 'license:im:export', import: 'license:im:add' },
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

/** Of one kind: devices with a licence, by its state, and those without one that counts. */
const licenceCount = z.object({
  kind: z.literal(licenceKinds),
  active: z.number().int(),
  expiring: z.number().int(),
  expired: z.number().int(),
  disabled: z.number().int(),
  none: z.number().int(),
})
export type LicenceCount = z.output<typeof licenceCount>
/** What an organisation and everything below it holds, of the kinds whose list the caller may open. */
export const licenceCounts = defineEndpoint({
  name: 'licenceCounts',
  method: 'GET',
  path: '/api/v3/license/count',
  perm: 'org:list:list',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({ departmentId: idInQuery(() => organisation) }),
  answer: z.object({ rows: z.array(licenceCount) }),
})
export const licenceEndpoints = [licenceCounts]
