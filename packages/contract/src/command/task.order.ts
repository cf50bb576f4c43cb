import { z } from 'zod'
import { device } from '../device/device.resource.ts'
import { anyObject, defineEndpoint } from '../kit/index.ts'
import { commandNames, commandSpec } from './commands.ts'
import {
  plannedDevices,
  refusedReasons,
  targetShape,
  taskDetail,
  taskDeviceDetail,
  timingShape,
  windows,
} from './task.resource.ts'

/** When a planned task begins. */
const begins = { sendTime: z.string().exactOptional() }
const wanted = { command: z.enum(commandNames), args: anyObject.default({}), ...targetShape }
const order = z.strictObject({
  ...wanted,
  ...timingShape,
  name: z.string().trim().max(64).optional(),
  description: z.string().trim().max(256).optional(),
})
const oneTask = {
  taskId: z.string(),
  id: z.number(),
  total: z.number().int(),
  ...begins,
  /** How many were left out because they could not take it. */
  refused: z.number().int().exactOptional(),
}
export const madeTask = z.object({
  ...oneTask,
  /** The first of them; all stand with the task. */
  refusedDevices: z.array(z.object({ sn: z.string(), code: z.number().int(), message: z.string() })).exactOptional(),
  /** Where devices of several enterprises or windows were meant: a task for each, of which the first is named above. */
  tasks: z.array(z.object(oneTask)).optional(),
})
export type MadeTask = z.output<typeof madeTask>
/** As many of those that were left out as an order names. */
export const leftOutNamed = 100

const permOfCommand = ({ command }: Readonly<Record<string, unknown>>) => commandSpec(String(command))?.perm

/** Who will be hit and who is refused and why, before anything is sent. The command's own permission is asked for. */
export const previewTask = defineEndpoint({
  name: 'previewTask',
  method: 'POST',
  path: '/api/v3/device/task/preview',
  perm: 'signedIn',
  scope: 'organisation',
  permOf: permOfCommand,
  heavy: true,
  quiet: true,
  input: z.strictObject({
    ...wanted,
    sendTime: timingShape.sendTime,
    maintenance: timingShape.maintenance,
    /** Codes of reasons of which every device is named, not only the first. */
    named: z.array(z.number().int()).max(50).optional(),
  }),
  answer: z.object({
    total: z.number().int(),
    /** Those it will be sent to. */
    receiving: z.number().int(),
    /** Of them. */
    online: z.number().int(),
    refused: refusedReasons,
    /** The first of those it will be sent to; `since`: when one that is away was last there. */
    first: z.array(
      z.object({
        sn: z.string(),
        departmentName: z.string(),
        online: z.boolean(),
        since: z.string().nullable(),
        /** When its maintenance window opens. */
        ...begins,
      }),
    ),
    /** Where it goes in the maintenance window: which windows there are, and how many it will be sent to in each. */
    windows: windows.exactOptional(),
  }),
})
/** As many of those who receive it as a preview names. */
export const previewedDevices = 12
/** Who is meant, before anything is chosen for them: how many, what holds of them, and the apps they have told of. */
export const lookAtTargets = defineEndpoint({
  name: 'lookAtTargets',
  method: 'POST',
  path: '/api/v3/device/task/targets',
  perm: 'signedIn',
  scope: 'organisation',
  permOf: ({ command }) => (command === undefined ? device.perms.list : permOfCommand({ command })),
  heavy: true,
  quiet: true,
  input: z.strictObject({ ...targetShape, command: z.enum(commandNames).optional() }),
  answer: z.object({
    total: z.number().int(),
    online: z.number().int(),
    locked: z.number().int(),
    kiosk: z.number().int(),
    /** Of each of several targets, in their order. */
    each: z.array(z.number().int()),
    /** Those most devices have first. */
    apps: z.array(
      z.object({
        package: z.string(),
        name: z.string().nullable(),
        /** The one most of them have. */
        version: z.string().nullable(),
        devices: z.number().int(),
      }),
    ),
  }),
})
/** Three doors to the same: from the list of tasks, from the batch screen, and from a device. The command's own permission is asked for besides. */
export const createTask = defineEndpoint({
  name: 'createTask',
  method: 'POST',
  path: '/api/v3/device/task/create',
  perm: 'deviceTask:list:add',
  scope: 'organisation',
  permOf: permOfCommand,
  heavy: true,
  input: order,
  answer: madeTask,
})
export const runBatch = defineEndpoint({
  name: 'runBatch',
  method: 'POST',
  path: '/api/v3/device/batch/run',
  perm: 'device:batch:run',
  scope: 'organisation',
  permOf: permOfCommand,
  heavy: true,
  input: order,
  answer: madeTask,
})
export const giveCommand = defineEndpoint({
  name: 'giveCommand',
  method: 'POST',
  path: '/api/v3/device/basic/command',
  perm: 'signedIn',
  scope: 'organisation',
  permOf: permOfCommand,
  heavy: true,
  input: order,
  answer: madeTask,
})
export const taskEndpoints = [
  previewTask,
  lookAtTargets,
  createTask,
  runBatch,
  giveCommand,
  taskDetail,
  plannedDevices,
  taskDeviceDetail,
]
