import { device } from '../device/device.resource.ts'
import { serial } from '../device/facts.ts'
import { choice, defineResource, optional, readOnly, ref, text, timestamp } from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

/** What happened to a door: told by its device, or done by a command. */
export const doorRecord = defineResource({
  name: 'doorRecord',
  wire: { path: '/api/v3/access/record' },
  fields: {
    time: readOnly(timestamp()),
    sn: readOnly(serial()),
    deviceId: readOnly(optional(ref(() => device, 'sn'))),
    what: readOnly(choice(['opened', 'closed', 'keptOpen', 'forced', 'heldOpen'])),
    means: readOnly(optional(choice(['command', 'button', 'card', 'face', 'code']))),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    /** When the server took it, where that is more than a few minutes from `time`. */
    receivedTime: readOnly(optional(timestamp())),
    /** Who ordered it. */
    creatorName: readOnly(optional(text())),
  },
  list: {
    columns: ['time', 'sn', 'what', 'means', 'departmentId', 'creatorName', 'receivedTime'],
    filters: ['time', 'sn', 'what', 'means', 'departmentId'],
    sort: '-time',
  },
  perms: { list: 'access:record:list', export: 'access:record:export' },
  scope: 'organisation',
  menu: { key: 'doorRecords', under: 'deviceTyped', url: '/access/record', icon: 'log', module: 'access' },
})
