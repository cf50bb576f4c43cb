import { z } from 'zod'
import { serial } from '../device/facts.ts'
import { commandQos } from '../device/protocol.ts'
import {
  choice,
  defineEndpoint,
  defineResource,
  idInQuery,
  mono,
  optional,
  readOnly,
  ref,
  rowOf,
  text,
  timestamp,
  untold,
  wordedBy,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import {
  attempt,
  attempts,
  outlook,
  outlookPage,
  reasonKeys,
  sentText,
  taskActions,
  taskFigures,
} from './task.resource.ts'

/** A message of somebody's own making to many devices. */
export const brokerTask = defineResource({
  name: 'brokerTask',
  wire: { path: '/api/v3/device/broker/task' },
  fields: {
    taskId: readOnly(mono(24)),
    name: readOnly(text(64)),
    topic: readOnly(mono(64)),
    qos: readOnly(choice(commandQos)),
    ...taskFigures,
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'taskId',
      'name',
      'topic',
      'qos',
      'total',
      'succeeded',
      'failed',
      'progress',
      'sendTime',
      'maintenanceWindow',
      'creatorName',
      'createTime',
    ],
    hidden: ['sendTime', 'maintenanceWindow'],
    filters: ['name', 'progress', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'broker:task:list' },
  scope: 'organisation',
  actions: taskActions({ cancel: 'broker:task:cancel', retry: 'broker:task:retry' }),
})

const ended = {
  sn: readOnly(serial()),
  taskId: untold(readOnly(ref(() => brokerTask))),
  endTime: readOnly(timestamp()),
}
/** The devices a broker task succeeded on, and those it did not. */
export const brokerSuccess = defineResource({
  name: 'brokerSuccess',
  wire: { path: '/api/v3/device/broker/task/success' },
  fields: { ...ended, result: readOnly(optional(sentText())) },
  list: { columns: ['sn', 'endTime', 'result'], card: ['endTime'], filters: ['sn', 'taskId'], sort: 'sn' },
  perms: { list: 'broker:task:list', export: 'broker:task:list' },
  scope: 'organisation',
})
export const brokerFailure = defineResource({
  name: 'brokerFailure',
  wire: { path: '/api/v3/device/broker/task/fail' },
  fields: {
    ...ended,
    command: readOnly(text(64)),
    state: readOnly(choice(['failed', 'expired', 'cancelled', 'refused'])),
    attempt,
    reason: wordedBy(reasonKeys, readOnly(optional(text(256)))),
  },
  list: { columns: ['sn', 'endTime', 'state', 'reason'], filters: ['sn', 'reason', 'taskId'], sort: 'sn' },
  perms: { list: 'broker:task:list', export: 'broker:task:list' },
  scope: 'organisation',
})

export const brokerSuccessDetail = defineEndpoint({
  name: 'brokerSuccessDetail',
  method: 'GET',
  path: '/api/v3/device/broker/task/success/detail',
  perm: brokerSuccess.perms.list,
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => brokerSuccess) }),
  answer: z.object({ row: rowOf(() => brokerSuccess) }),
})
/** How often a device was told a message in vain, and what became of each time. */
export const brokerFailureDetail = defineEndpoint({
  name: 'brokerFailureDetail',
  method: 'GET',
  path: '/api/v3/device/broker/task/fail/detail',
  perm: brokerFailure.perms.list,
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => brokerFailure) }),
  answer: z.object({ attempts }),
})
/** The same of a planned message as `plannedDevices` answers of a planned task. */
export const plannedMessageDevices = defineEndpoint({
  name: 'plannedMessageDevices',
  method: 'GET',
  path: '/api/v3/device/broker/task/planned',
  perm: brokerTask.perms.list,
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => brokerTask), page: outlookPage }),
  answer: outlook,
})
