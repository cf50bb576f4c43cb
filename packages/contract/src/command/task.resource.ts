import { z } from 'zod'
import { devicesMax, serialMax, serialNumber } from '../device/device.resource.ts'
import {
  choice,
  defineEndpoint,
  defineResource,
  department,
  longText,
  mono,
  number,
  optional,
  readOnly,
  text,
  timestamp,
  unsorted,
} from '../kit/index.ts'
import { commandStates } from './command.machine.ts'
import { commandNames } from './commands.ts'

/** §4 progress: computed from the states of its devices (readings 74). */
export const progressStates = ['inProgress', 'success', 'failed', 'partialSuccess'] as const

/**
 * Who is meant: serials, a group, or everything the device list's filter matches less what was unticked.
 * More than `devicesMax` are refused with a code of their own (93018), however they were named.
 */
export const target = z.union([
  z.strictObject({ sns: z.array(z.string().regex(serialNumber).max(serialMax)).min(1) }),
  z.strictObject({ groupId: z.number().int().positive() }),
  z.strictObject({
    filter: z.record(z.string(), z.unknown()),
    except: z.array(z.number().int().positive()).max(devicesMax).optional(),
  }),
])
export type Target = z.infer<typeof target>

/** One command to many devices (work order). */
export const deviceTask = defineResource({
  name: 'deviceTask',
  wire: { path: '/api/v3/device/task' },
  fields: {
    taskId: readOnly(mono(24)),
    kind: readOnly(choice(['task', 'broker', 'setting'])),
    command: readOnly(choice(commandNames)),
    name: readOnly(optional(text(64))),
    description: readOnly(optional(longText(256))),
    progress: readOnly(choice(progressStates)),
    total: readOnly(number(0, devicesMax)),
    succeeded: readOnly(unsorted(number(0, devicesMax))),
    failed: readOnly(unsorted(number(0, devicesMax))),
    waiting: readOnly(unsorted(number(0, devicesMax))),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'taskId',
      'command',
      'description',
      'total',
      'succeeded',
      'failed',
      'progress',
      'creatorName',
      'createTime',
    ],
    filters: ['command', 'progress', 'kind', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'deviceTask:list:list', export: 'deviceTask:list:export' },
  scope: 'organisation',
  actions: {
    cancel: {
      input: z.strictObject({ id: z.number().int().positive() }),
      perm: 'deviceTask:list:cancel',
      errors: [93014, 93015],
    },
    retry: {
      input: z.strictObject({ id: z.number().int().positive(), sns: z.array(z.string()).max(devicesMax).optional() }),
      perm: 'deviceTask:list:retry',
      errors: [93014, 93016],
    },
  },
})

/** One device of a task. */
export const taskDevice = defineResource({
  name: 'taskDevice',
  wire: { path: '/api/v3/device/task/device' },
  fields: {
    sn: readOnly(mono(serialMax)),
    taskId: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    deviceId: readOnly(optional(number(1, Number.MAX_SAFE_INTEGER))),
    command: readOnly(text(64)),
    createTime: readOnly(timestamp()),
    state: readOnly(choice(commandStates)),
    reason: readOnly(optional(text(256))),
    result: readOnly(optional(longText(5000))),
    sentTime: readOnly(optional(timestamp())),
    endTime: readOnly(optional(timestamp())),
    updateTime: readOnly(timestamp()),
  },
  list: {
    columns: ['sn', 'state', 'reason', 'result', 'createTime', 'sentTime', 'endTime'],
    hidden: ['createTime'],
    filters: ['sn', 'state', 'taskId', 'deviceId'],
    sort: 'sn',
  },
  perms: { list: 'deviceTask:list:detail', export: 'deviceTask:list:export' },
  scope: 'organisation',
})

const wanted = { command: z.enum(commandNames), args: z.record(z.string(), z.unknown()).default({}), target }

/** Who will be hit and who is refused and why, before anything is sent. */
export const previewTask = defineEndpoint<{
  total: number
  online: number
  refused: { sn: string; code: number; message: string }[]
}>()({
  name: 'previewTask',
  method: 'POST',
  path: '/api/v3/device/task/preview',
  perm: 'device:batch:list',
  scope: 'organisation',
  quiet: true,
  input: z.strictObject(wanted),
})
/** The command's own permission is asked for besides this route's. */
export const createTask = defineEndpoint<{ taskId: string; id: number; total: number }>()({
  name: 'createTask',
  method: 'POST',
  path: '/api/v3/device/task/create',
  perm: 'signedIn',
  scope: 'organisation',
  input: z.strictObject({
    ...wanted,
    name: z.string().trim().max(64).optional(),
    description: z.string().trim().max(256).optional(),
  }),
})
export const taskEndpoints = [previewTask, createTask]
