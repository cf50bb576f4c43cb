import { z } from 'zod'
import {
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
  startingWith,
  text,
  timestamp,
  unlisted,
  unsorted,
} from '../kit/index.ts'
import { devicesMax, iotStates, serialMax, serialNumber, serialsInFilter } from './device.resource.ts'

const sns = z.array(z.string().regex(serialNumber).max(serialMax)).min(1).max(devicesMax)

/** §5 */
const nameMax = 23
const filter = z.record(z.string(), z.unknown())

/** Devices of one type kept together: by hand (a device in one such group only), or by a filter that is always true to the moment. */
export const deviceGroup = defineResource({
  name: 'deviceGroup',
  wire: { path: '/api/v3/device/group' },
  fields: {
    name: once(text(nameMax)),
    /** Its id, as a column people may read. */
    groupNo: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    kind: once(startingWith('manual', choice(['manual', 'dynamic']))),
    type: optional(text(64)),
    departmentId: department(),
    departmentName: readOnly(text()),
    deviceType: once(dictionary('deviceType')),
    deviceCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    description: optional(text(64)),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'name',
      'groupNo',
      'kind',
      'type',
      'departmentId',
      'deviceType',
      'deviceCount',
      'description',
      'createTime',
    ],
    card: ['kind', 'departmentId', 'deviceType', 'deviceCount'],
    filters: ['name', 'departmentId', 'deviceType', 'kind'],
    sort: 'name',
  },
  form: { basics: ['name', 'kind', 'type', 'departmentId', 'deviceType', 'description'] },
  perms: {
    list: 'device:group:list',
    create: 'device:group:add',
    update: 'device:group:edit',
    remove: 'device:group:delete',
    export: 'device:group:export',
  },
  scope: 'organisation',
  actions: {
    /** Members of a manual group; refused whole, naming the serial that does not fit. */
    addDevices: {
      input: z.strictObject({ groupId: z.number().int().positive(), sns }),
      perm: 'device:groupRel:save',
      errors: [204008, 204009],
    },
    removeDevices: {
      input: z.strictObject({ groupId: z.number().int().positive(), sns }),
      perm: 'device:groupRel:delete',
    },
    /** A filter of the device list becomes a group that is always true to it. */
    saveFilter: {
      input: z.strictObject({
        name: z.string().trim().min(1).max(nameMax),
        departmentId: z.number().int().positive(),
        deviceType: z.number().int().min(0).max(999),
        description: z.string().trim().max(64).optional(),
        filter,
      }),
      perm: 'device:group:add',
      errors: [204012, 204019],
    },
    /** The saved filter of a dynamic group: the device list's own query. */
    setFilter: {
      input: z.strictObject({ groupId: z.number().int().positive(), filter }),
      perm: 'device:group:edit',
    },
  },
})

/** Who is in a group now, by hand or by its filter. Asked for with `groupId`; without one it is empty. */
export const groupDevice = defineResource({
  name: 'groupDevice',
  wire: { path: '/api/v3/device/groupDevice' },
  fields: {
    sn: readOnly(several(serialsInFilter, mono(serialMax))),
    groupId: readOnly(unlisted(number(1, Number.MAX_SAFE_INTEGER))),
    iotStatus: readOnly(choice(iotStates)),
    model: readOnly(optional(text(64))),
    deviceType: readOnly(dictionary('deviceType')),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    /** When somebody put it there; a filter puts nobody anywhere. */
    joinTime: readOnly(optional(timestamp())),
  },
  list: {
    columns: ['sn', 'iotStatus', 'model', 'deviceType', 'departmentId', 'joinTime'],
    filters: ['sn', 'iotStatus', 'groupId'],
    sort: 'sn',
  },
  perms: { list: 'device:group:list' },
  scope: 'organisation',
})
