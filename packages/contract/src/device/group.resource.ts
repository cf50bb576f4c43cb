import { z } from 'zod'
import {
  alsoNamed,
  choice,
  defineResource,
  dictionary,
  done,
  number,
  object,
  once,
  optional,
  type RefTarget,
  readOnly,
  ref,
  startingWith,
  text,
  timestamp,
  unlisted,
  unsorted,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { connection, serial, serials } from './facts.ts'

/** behaviour: devices.group */
const nameMax = 23

/** Devices of one type kept together: by hand (a device in one such group only), or by a filter that is always true to the moment. */
export const deviceGroup = defineResource({
  name: 'deviceGroup',
  wire: { path: '/api/v3/device/group' },
  fields: {
    name: once(alsoNamed('groupName', text(nameMax))),
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
  palette: {
    tells: ['kind', 'departmentName', 'deviceCount'],
    opens: { path: '/device/groupDevice/:id', perm: 'device:group:list' },
  },
  actions: {
    /** Members of a manual group; refused whole, naming the serial that does not fit. */
    addDevices: {
      on: 'list',
      perm: 'device:groupRel:save',
      fields: { groupId: ref((): RefTarget => deviceGroup), sns: serials() },
      answer: z.object({ added: z.number().int() }),
      errors: [204008, 204009, 204018],
    },
    removeDevices: {
      on: 'list',
      perm: 'device:groupRel:delete',
      fields: { groupId: ref((): RefTarget => deviceGroup), sns: serials() },
      answer: z.object({ removed: z.number().int() }),
      errors: [204018],
    },
    /** A filter of the device list becomes a group that is always true to it. */
    saveFilter: {
      on: 'list',
      perm: 'device:group:add',
      fields: {
        name: alsoNamed('groupName', text(nameMax)),
        departmentId: department(),
        deviceType: dictionary('deviceType'),
        description: optional(text(64)),
        filter: object(),
      },
      answer: z.object({ id: z.number(), deviceCount: z.number().int() }),
      errors: [204012, 204019],
    },
    /** The saved filter of a dynamic group: the device list's own query. */
    setFilter: {
      on: 'list',
      perm: 'device:group:edit',
      fields: { groupId: ref((): RefTarget => deviceGroup), filter: object() },
      answer: done,
      errors: [204018],
    },
  },
})

/** Who is in a group now, by hand or by its filter. Asked for with `groupId`; without one it is empty. */
export const groupDevice = defineResource({
  name: 'groupDevice',
  wire: { path: '/api/v3/device/groupDevice' },
  fields: {
    sn: readOnly(serial()),
    groupId: readOnly(unlisted(ref(() => deviceGroup))),
    iotStatus: readOnly(connection()),
    activationStatus: readOnly(choice([0, 1, 2, 3])),
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
