import { z } from 'zod'
import { serialMax } from '../device/device.resource.ts'
import {
  defineEndpoint,
  defineResource,
  department,
  mono,
  optional,
  readOnly,
  text,
  timestamp,
  toggle,
} from '../kit/index.ts'

/** A one-time permission to join, made for one serial number. `FSK` is the factory secret key of the wire (readings 134). */
export const activationCode = defineResource({
  name: 'activationCode',
  wire: { path: '/api/v3/device/FSK' },
  fields: {
    sn: readOnly(mono(serialMax)),
    activationCode: readOnly(mono(64)),
    mac: readOnly(optional(mono(32))),
    /** What the QR code holds: `sn;random;mac;` (readings 46). */
    qrData: readOnly(text(256)),
    used: readOnly(toggle()),
    usedTime: readOnly(optional(timestamp())),
    expireTime: readOnly(optional(timestamp())),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['sn', 'activationCode', 'used', 'usedTime', 'departmentId', 'expireTime', 'createTime'],
    filters: ['sn', 'activationCode', 'used', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'activation:code:list', remove: 'activation:code:delete', export: 'activation:code:export' },
  scope: 'organisation',
})
/** One code a line, JSON or `sn;random;mac;` (readings 103); serials alone get a generated code. Nothing is stored when a line is wrong. */
export const createCodes = defineEndpoint<{
  created: number
  codes: { sn: string; activationCode: string; qrData: string }[]
}>()({
  name: 'createCodes',
  method: 'POST',
  path: '/api/v3/device/FSK/create',
  perm: 'activation:code:add',
  scope: 'organisation',
  input: z.strictObject({
    codes: z.string().max(1_000_000),
    departmentId: z.number().int().positive().optional(),
    deviceType: z.number().int().min(1).max(999).optional(),
    validDays: z.number().int().min(1).max(3650).optional(),
  }),
})
/** What a device calls with the code of its label; the answer's password is shown this once. */
export const activate = defineEndpoint<{ username: string; password: string; mqttUrl: string; serverTime: string }>()({
  name: 'activate',
  method: 'POST',
  path: '/device/v1/activate',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({
    sn: z.string().max(128),
    code: z.string().max(128),
    publicKey: z.string().max(4096).optional(),
  }),
})
export const activationEndpoints = [createCodes, activate]
