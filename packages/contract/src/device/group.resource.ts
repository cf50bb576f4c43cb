import { z } from 'zod'
import {
  choice,
  defineResource,
  department,
  dictionary,
  number,
  once,
  optional,
  readOnly,
  startingWith,
  text,
  timestamp,
  unsorted,
} from '../kit/index.ts'
import { devicesMax, serialMax, serialNumber } from './device.resource.ts'

const sns = z.array(z.string().regex(serialNumber).max(serialMax)).min(1).max(devicesMax)

/** Devices of one type kept together: by hand (a device in one such group only), or by a filter that is always true to the moment. */
export const deviceGroup = defineResource({
  name: 'deviceGroup',
  wire: { path: '/api/v3/device/group' },
  fields: {
    name: once(text(23)),
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
    columns: ['name', 'kind', 'type', 'departmentId', 'deviceType', 'deviceCount', 'description', 'createTime'],
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
    /** The saved filter of a dynamic group: the device list's own query. */
    setFilter: {
      input: z.strictObject({ groupId: z.number().int().positive(), filter: z.record(z.string(), z.unknown()) }),
      perm: 'device:group:edit',
    },
  },
})
