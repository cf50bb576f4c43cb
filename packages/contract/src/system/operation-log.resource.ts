import {
  choice,
  defineResource,
  longText,
  mono,
  optional,
  personal,
  readOnly,
  text,
  timestamp,
  toggle,
  unsorted,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

/** What an operation did to the data. */
export const operationTypes = [
  'signIn',
  'signOut',
  'read',
  'create',
  'update',
  'remove',
  'action',
  'export',
  'import',
] as const

/** What the two enterprises' logs say, in place of an address, of devices that pass from one to the other. */
export const handoverRoutes = { left: 'device handover: left', arrived: 'device handover: arrived' } as const

/** Sorted by time, person, module and type: what an index answers over millions of lines. Written by the server for every write and every read of personal data; nobody changes or removes a line. */
export const operationLog = defineResource({
  name: 'operationLog',
  wire: { path: '/api/v1/gateway/op-log', listKey: 'opLogs' },
  fields: {
    createTime: readOnly(timestamp()),
    departmentId: unsorted(readOnly(optional(department()))),
    departmentName: readOnly(optional(text())),
    username: readOnly(optional(personal(text()))),
    /** Done by somebody of another organisation who had entered this one. */
    outside: unsorted(readOnly(toggle())),
    clientIp: unsorted(readOnly(optional(mono(45)))),
    host: unsorted(readOnly(optional(mono(255)))),
    route: unsorted(readOnly(mono(255))),
    module: readOnly(text()),
    type: readOnly(choice(operationTypes)),
    description: unsorted(readOnly(optional(longText(5000)))),
    result: unsorted(readOnly(choice(['success', 'failed']))),
    code: readOnly(mono(10)),
  },
  list: {
    columns: [
      'createTime',
      'departmentId',
      'username',
      'outside',
      'clientIp',
      'host',
      'route',
      'module',
      'type',
      'description',
      'result',
    ],
    hidden: ['outside', 'host', 'route'],
    card: ['username', 'module', 'type', 'description', 'result'],
    filters: ['username', 'module', 'type', 'result', 'createTime', 'clientIp'],
    sort: '-createTime',
  },
  perms: { list: 'system:log:list', export: 'system:log:export' },
  scope: 'organisation',
})
