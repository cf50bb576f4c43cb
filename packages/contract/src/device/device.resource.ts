import { z } from 'zod'
import {
  answering,
  choice,
  defineResource,
  department,
  dictionary,
  mono,
  number,
  once,
  optional,
  readOnly,
  several,
  text,
  timestamp,
  toggle,
  unlisted,
  unsorted,
} from '../kit/index.ts'

/** readings 87: what a serial number may hold; a slash separates several, and MQTT's wildcards must never be in one. */
export const serialNumber = /^[A-Za-z0-9_.:-]+$/
export const serialMax = 64
/** §9: devices in one release, batch, geofence or template. */
export const devicesMax = 10_000
/** readings 105 */
export const serialsInFilter = 200

export const iotStates = ['online', 'offline', 'flapping'] as const
/** readings 34 */
export const activationStates = { notActivated: 0, unbound: 1, bound: 2, unbinding: 3 } as const
export const robotStates = ['working', 'idle', 'charging', 'breakdown'] as const
export const chargingStates = ['unknown', 'charging', 'notCharging'] as const

const sns = z.array(z.string().regex(serialNumber).max(serialMax)).min(1).max(devicesMax)

/** A terminal of the fleet. The registry row is a person's; presence, versions and values are the device's own word. */
export const device = defineResource({
  name: 'device',
  wire: { path: '/api/v3/device/basic' },
  fields: {
    sn: once(several(serialsInFilter, answering(30101, mono(serialMax, serialNumber)))),
    iotStatus: readOnly(choice(iotStates)),
    /** It moves by transfer, which has its own permission and consequences. */
    departmentId: once(answering(204013, department())),
    departmentName: readOnly(text()),
    deviceType: answering(204012, dictionary('deviceType')),
    model: optional(text(64)),
    batchNumber: answering(204011, text(64)),
    ip: readOnly(optional(mono(45))),
    firmwareVersion: readOnly(optional(mono(64))),
    systemVersion: readOnly(optional(mono(64))),
    imei: optional(mono(32, /^[0-9A-Za-z]+$/)),
    imsi: optional(mono(32, /^[0-9A-Za-z]+$/)),
    activationStatus: readOnly(choice([0, 1, 2, 3])),
    groupId: readOnly(optional(number(1, Number.MAX_SAFE_INTEGER))),
    groupName: readOnly(optional(text())),
    locked: readOnly(toggle()),
    battery: readOnly(optional(number(0, 100))),
    charging: readOnly(choice(chargingStates)),
    lastConnected: readOnly(optional(timestamp())),
    /** Robots only: what it is doing. */
    robotState: readOnly(optional(choice(robotStates))),
    /** Commands it has not answered to the end yet. */
    pending: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    description: optional(text(64)),
    createTime: readOnly(timestamp()),
    /** In use, and there at least once since the server's midnight; false: in use, and not (readings 156). */
    seenToday: unlisted(readOnly(toggle())),
    /** Holds a credential, so that it may connect. */
    enrolled: unlisted(readOnly(toggle())),
    /** Has this package, by its full name. */
    app: unlisted(readOnly(optional(mono(128)))),
    /** Says a value of its own making: its name alone, or with `=`, `!=`, `<`, `<=`, `>` or `>=` and a value. */
    own: unlisted(readOnly(optional(mono(160)))),
  },
  list: {
    columns: [
      'sn',
      'iotStatus',
      'departmentId',
      'deviceType',
      'model',
      'firmwareVersion',
      'battery',
      'activationStatus',
      'lastConnected',
      'batchNumber',
      'ip',
      'systemVersion',
      'imei',
      'imsi',
      'groupName',
      'locked',
      'description',
      'createTime',
    ],
    hidden: ['batchNumber', 'ip', 'systemVersion', 'imei', 'imsi', 'groupName', 'locked', 'description', 'createTime'],
    filters: [
      'sn',
      'departmentId',
      'iotStatus',
      'deviceType',
      'model',
      'batchNumber',
      'firmwareVersion',
      'activationStatus',
      'groupId',
      'locked',
      'imei',
      'robotState',
      'seenToday',
      'enrolled',
      'app',
      'own',
    ],
    sort: 'sn',
  },
  form: { basics: ['sn', 'batchNumber', 'departmentId', 'deviceType', 'model'], more: ['imei', 'imsi', 'description'] },
  perms: {
    list: 'device:list:list',
    create: 'device:list:add',
    update: 'device:list:edit',
    remove: 'device:list:delete',
    export: 'device:list:export',
    import: 'device:list:import',
  },
  scope: 'organisation',
  actions: {
    transferBatch: {
      /** `dryRun` moves none and answers which would not go, and why. */
      input: z.strictObject({ sns, departmentId: z.number().int().positive(), dryRun: z.boolean().optional() }),
      perm: 'device:list:transfer',
      errors: [204021, 204022, 204023, 204024],
    },
  },
})
