import { z } from 'zod'
import { commonErrors } from '../api/common.errors.ts'
import { serial } from '../device/facts.ts'
import { commandQos, commandQosDefault } from '../device/protocol.ts'
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
import { commandErrors } from './command.errors.ts'
import { type CommandName, commands } from './commands.ts'
import {
  attempt,
  attempts,
  madeTask,
  reasonKeys,
  sentText,
  targetShape,
  taskActions,
  taskFigures,
  timingShape,
} from './task.resource.ts'

const payloadMax = 5000
export const topicPattern = /^[A-Za-z0-9][\w./-]*$/

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

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)
/**
 * A name that is no command of ours is sent as it is, for makers who try something new: as the topic, and once more within
 * the payload, where devices looked for it before it stood by itself.
 */
/** A device finds the word it was told under beside what it was told, however it was sent. */
export const customArgs = ({ topic, payload, ...args }: { topic?: unknown; payload?: unknown }) => ({
  ...args,
  ...(topic !== undefined && { topic }),
  ...(payload !== undefined && {
    payload:
      topic === undefined || typeof payload !== 'object' || Array.isArray(payload)
        ? payload
        : { command: topic, ...payload },
  }),
})
export const messageOf = (
  name: string,
  payload: Record<string, unknown>,
): { command: CommandName; args: Record<string, unknown> } =>
  isCommand(name) ? { command: name, args: payload } : { command: 'custom', args: customArgs({ topic: name, payload }) }
export const createBrokerTask = defineEndpoint({
  name: 'createBrokerTask',
  method: 'POST',
  path: '/api/v3/device/broker/task/create',
  perm: 'broker:task:add',
  scope: 'organisation',
  heavy: true,
  faults: { qos: { missing: commonErrors.missingParameter.code, wrong: commandErrors.qosNotSpoken.code } },
  input: z.strictObject({
    name: z.string().trim().min(1).max(64),
    topic: z.string().trim().regex(topicPattern).max(64),
    payload: z.string().max(payloadMax),
    /** At most: a device that has subscribed with less gets it with less. */
    qos: z.literal(commandQos).default(commandQosDefault),
    ...timingShape,
    ...targetShape,
  }),
  answer: madeTask,
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
export const brokerEndpoints = [createBrokerTask, brokerSuccessDetail, brokerFailureDetail]
