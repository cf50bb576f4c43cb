import { z } from 'zod'
import {
  answering,
  choice,
  defineResource,
  dictionary,
  mono,
  named,
  number,
  once,
  optional,
  readOnly,
  ref,
  text,
  timestamp,
  toggle,
  unlisted,
  unsorted,
  version,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import {
  chargingStates,
  connection,
  deviceLicences,
  deviceProblems,
  deviceTypes,
  robotStates,
  serial,
  serialMax,
  serials,
} from './facts.ts'
import { deviceGroup } from './group.resource.ts'

/** What a transfer did, or would do. */
export const transferAnswer = z.object({
  moved: z.number().int(),
  /** Those that go, or would go, and where from. */
  going: z.array(z.object({ sn: z.string(), from: z.string() })),
  failed: z.array(z.object({ row: z.number().optional(), sn: z.string(), code: z.number(), message: z.string() })),
  /** The failed rows of a file with their reasons, among the files. */
  fileId: z.number().nullable(),
})
export type TransferAnswer = z.output<typeof transferAnswer>

/** A terminal of the fleet. The registry row is a person's; presence, versions and values are the device's own word. */
export const device = defineResource({
  name: 'device',
  wire: { path: '/api/v3/device/basic', removeBy: 'sn' },
  fields: {
    sn: once(answering({ missing: 30101, wrong: 204010 }, serial())),
    iotStatus: readOnly(connection()),
    /** It moves by transfer, which has its own permission and consequences. */
    departmentId: once(answering(204013, department())),
    departmentName: readOnly(text()),
    deviceType: answering(204012, dictionary('deviceType')),
    model: optional(text(64)),
    batchNumber: answering({ missing: 204011, wrong: 204027 }, text(64)),
    ip: readOnly(optional(mono(45))),
    firmwareVersion: readOnly(optional(version(mono(128)))),
    systemVersion: readOnly(optional(mono(128))),
    imei: optional(mono(32, /^[0-9A-Za-z]+$/)),
    imsi: optional(mono(32, /^[0-9A-Za-z]+$/)),
    activationStatus: readOnly(choice([0, 1, 2, 3])),
    licence: readOnly(unsorted(choice(deviceLicences))),
    groupId: readOnly(optional(ref(() => deviceGroup, 'groupName'))),
    groupName: readOnly(optional(text())),
    locked: readOnly(toggle()),
    battery: readOnly(optional(number(0, 100))),
    charging: readOnly(choice(chargingStates)),
    lastConnected: readOnly(optional(timestamp())),
    /** Of one that is in use and not connected: when it was last there (behaviour: devices.offline). */
    offlineSince: readOnly(optional(unsorted(timestamp()))),
    /** Robots only: what it is doing. */
    robotState: readOnly(optional(choice(robotStates))),
    /** Commands it has not answered to the end yet. */
    pending: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    description: optional(text(64)),
    createTime: readOnly(timestamp()),
    /** Something is wrong with it that somebody has to see to. */
    problem: unlisted(readOnly(optional(choice(deviceProblems)))),
    /** In use, and there at least once since the server's midnight; false: in use, and not (behaviour: devices.today). */
    seenToday: unlisted(readOnly(toggle())),
    /** Said something within the last hour. */
    active: unlisted(readOnly(toggle())),
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
      'licence',
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
    hidden: [
      'licence',
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
    filters: [
      'sn',
      'departmentId',
      'iotStatus',
      'deviceType',
      'model',
      'batchNumber',
      'firmwareVersion',
      'battery',
      'lastConnected',
      'activationStatus',
      'licence',
      'groupId',
      'locked',
      'imei',
      'ip',
      'problem',
      'robotState',
      'charging',
      'seenToday',
      'active',
      'enrolled',
      'app',
      'own',
    ],
    sort: 'sn',
    views: { deviceType: [deviceTypes.robot, deviceTypes.selfService, deviceTypes.videoPhone] },
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
  palette: {
    by: ['sn', 'imei', 'ip'],
    tells: ['iotStatus', 'activationStatus', 'offlineSince', 'departmentName', 'model', 'firmwareVersion'],
    opens: { path: '/device/list/detail/:sn', perm: 'device:list:detail' },
  },
  actions: {
    transferBatch: {
      /** `dryRun` moves none and answers which would not go, and why. */
      on: 'list',
      perm: 'device:list:transfer',
      origin: true,
      fields: {
        sns: answering({ missing: 204021, wrong: 204010 }, serials()),
        departmentId: answering({ missing: 204022, wrong: 204013 }, department()),
        dryRun: optional(toggle()),
      },
      answer: transferAnswer,
      errors: [204023, 204024],
    },
  },
})

/** A device that a call names by its serial number. */
export const deviceSn = named(() => device, z.string().max(serialMax))
