import { z } from 'zod'
import { device } from '../device/device.resource.ts'
import { devicesMax, serial, serialMax, serialNumber, serials } from '../device/facts.ts'
import { deviceGroup } from '../device/group.resource.ts'
import { messageMaxBytes } from '../device/protocol.ts'
import {
  alsoNamed,
  anyObject,
  choice,
  defineEndpoint,
  defineResource,
  idInQuery,
  idOf,
  json,
  lines,
  longText,
  moment,
  mono,
  namedBy,
  number,
  optional,
  type Perm,
  readOnly,
  ref,
  rowOf,
  text,
  timestamp,
  toggle,
  unlisted,
  unsorted,
  untold,
  weekdays,
  wordedBy,
} from '../kit/index.ts'
import { department, maintenanceHours } from '../organisation/organisation.resource.ts'
import { commandStates } from './command.machine.ts'
import { commandNames, commandTextKey } from './commands.ts'

/** Computed from the states of its devices (behaviour: commands.progress); `planned` has not begun. */
export const progressStates = ['planned', 'inProgress', 'success', 'failed', 'partialSuccess'] as const
/** Nothing of it failed: people took it back. The wire knows no progress of its own for that and says `failed`. */
export const isCancelled = (task: { progress: string; failed: number; cancelled: number }): boolean =>
  task.progress === 'failed' && task.failed === 0 && task.cancelled > 0

/** One way to name devices: serials, a group, or everything the device list's filter matches less what was unticked. */
export type OneTarget =
  | { sns: string[] }
  | { groupId: number }
  | { filter: Record<string, unknown>; except?: number[] | undefined }
/**
 * Who is meant: one of the three ways, or several of them together, each device once. More than `devicesMax` are refused
 * with a code of their own (93018), however they were named. `without` leaves out serials: those a preview named as
 * refused.
 */
export type Target = OneTarget | { targets: OneTarget[] }
/** As many as fit a screen. */
export const targetsMax = 20
const oneTarget = {
  sns: z.array(z.string().regex(serialNumber).max(serialMax)).optional(),
  groupId: idOf(() => deviceGroup).optional(),
  filter: anyObject.optional(),
  except: z
    .array(idOf(() => device))
    .max(devicesMax)
    .optional(),
}
export const targetShape = {
  ...oneTarget,
  targets: z.array(z.strictObject(oneTarget)).max(targetsMax).optional(),
  without: z.array(z.string().max(serialMax)).max(devicesMax).optional(),
}

/** The longest a command may wait for a device that is away. */
export const waitMinutesMax = 30 * 24 * 60
/** A command that is meant for now or not at all, such as opening a door, waits no longer than it says itself. */
export const mayWaitLonger = ({ waitMinutes }: { readonly waitMinutes: number }): boolean => waitMinutes >= 60
/** How far ahead a task may be planned. */
export const plannedDaysMax = 366
/** How many planned tasks may wait for their time in an enterprise. */
export const plannedTasksMax = 200
/** Of them one person's: nobody takes the place of all others. */
export const plannedTasksOfOne = 50
/** When devices are told, and what becomes of those that cannot be told then. */
export const timingShape = {
  /**
   * Not before; absent: at once. Until then nobody is told: who is meant, and whether the giver may, is looked at again
   * when the time has come.
   */
  sendTime: moment().optional(),
  /**
   * In the maintenance window of each device's organisation: at once where it is open, otherwise when it opens next. What has
   * not been done when it closes is not sent any more. It goes with neither a time nor a wait.
   */
  maintenance: z.boolean().optional(),
  /** How long it waits for devices that are away; absent: as long as the command says. */
  waitMinutes: z.number().int().min(1).max(waitMinutesMax).optional(),
  /** Those who cannot take it are left out and written down with the task, instead of refusing all. */
  partly: z.boolean().optional(),
}

/** How many devices a task is for, and how it stands with them. */
export const taskFigures = {
  progress: readOnly(alsoNamed('status', choice(progressStates))),
  total: readOnly(number(0, devicesMax)),
  succeeded: readOnly(unsorted(number(0, devicesMax))),
  failed: readOnly(unsorted(number(0, devicesMax))),
  waiting: readOnly(unsorted(number(0, devicesMax))),
  cancelled: readOnly(unsorted(number(0, devicesMax))),
  /** Beside the total: those that could not take it when it began. */
  refused: readOnly(unsorted(number(0, devicesMax))),
  /** When a planned task begins, or has begun. */
  sendTime: readOnly(optional(unsorted(timestamp()))),
  /** The hours it was given for, with whose clocks show them, and when they are over. */
  maintenanceWindow: readOnly(optional(unsorted(mono(96)))),
  maintenanceEnd: readOnly(optional(unsorted(timestamp()))),
  /** The days on which they begin, and the organisations whose they are, as far as the reader reaches. */
  maintenanceDays: readOnly(optional(unsorted(weekdays()))),
  maintenanceOf: readOnly(optional(unsorted(lines()))),
  /** The code that kept a planned task from beginning. */
  refusal: readOnly(optional(unsorted(number(0, 999_999)))),
  /** A device of it has not been sent the command: it can be cancelled. */
  unsent: readOnly(unsorted(toggle())),
  /** A device of it has the command and has not ended it: it can be given up. */
  begun: readOnly(unsorted(toggle())),
  /** A device of it was called off and can be sent the command after all. */
  resendable: readOnly(unsorted(toggle())),
}

export const retriedKinds = ['failed', 'cancelled', 'refused'] as const

/** As many devices as an answer names of each reason, however many it concerns. */
export const refusedNamed = 20
/**
 * Why devices cannot take a command: each reason with how many it concerns and the first of them. `until`: when the last of
 * those that have to be left in peace (93035) may be asked again.
 */
export const refusedReasons = z.array(
  z.object({
    code: z.number().int(),
    /** Of the first. */
    message: z.string(),
    count: z.number().int(),
    sns: z.array(z.string()),
    until: z.string().exactOptional(),
  }),
)
export type RefusedReason = z.output<typeof refusedReasons>[number]
export const refusedIn = (reasons: readonly RefusedReason[]): number =>
  reasons.reduce((sum, { count }) => sum + count, 0)

/** Maintenance windows: which are open, when the others open, and how many are told in each. */
export const windows = z.array(
  z.object({
    ...maintenanceHours,
    opens: z.string(),
    closes: z.string(),
    open: z.boolean(),
    devices: z.number().int(),
  }),
)
export type Windows = z.output<typeof windows>

/**
 * Beside how many receive it, of a dry run: how many of them are connected, the first of them, and who is refused; of a task
 * for the maintenance window, how it stands with their windows now.
 */
const retryAnswer = z.object({
  retried: z.number().int(),
  online: z.number().int().exactOptional(),
  first: z.array(z.string()).exactOptional(),
  refused: refusedReasons.exactOptional(),
  windows: windows.exactOptional(),
})
export type RetryAnswer = z.output<typeof retryAnswer>

/** What can be done with a task, whoever has made it. */
export const taskActions = (perms: { readonly cancel: Perm; readonly retry: Perm }) =>
  ({
    cancel: {
      on: 'row',
      answer: z.object({ cancelled: z.number().int() }),
      perm: perms.cancel,
      errors: [93014, 93015],
    },
    /** What was sent and has not ended is no longer waited for; the device may still do it. */
    giveUp: {
      on: 'row',
      fields: { sns: optional(serials()) },
      answer: z.object({ givenUp: z.number().int() }),
      perm: perms.cancel,
      errors: [93014, 93032],
    },
    /**
     * Those named, or all of one kind; those that failed unless another is said. One that cannot take it now keeps all
     * from it, unless it may go to a part. `dryRun` sends nothing and answers who would receive it and who is refused.
     */
    retry: {
      on: 'row',
      fields: {
        sns: optional(serials()),
        only: optional(choice(retriedKinds)),
        partly: optional(toggle()),
        dryRun: optional(toggle()),
      },
      answer: retryAnswer,
      perm: perms.retry,
      errors: [93014, 93016],
    },
  }) as const

/** One command to many devices (work order). */
export const deviceTask = defineResource({
  name: 'deviceTask',
  wire: { path: '/api/v3/device/task' },
  fields: {
    taskId: readOnly(mono(24)),
    /** What it was given for: the name of a resource, and where that is not the task itself the row of it. */
    originKind: untold(readOnly(text(64))),
    originId: untold(readOnly(optional(number(1, Number.MAX_SAFE_INTEGER)))),
    command: readOnly(namedBy(commandTextKey, choice(commandNames))),
    name: readOnly(optional(text(64))),
    description: readOnly(optional(longText(256))),
    ...taskFigures,
    /** A task one of these devices takes part in. */
    sn: readOnly(unlisted(serial())),
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
      'sendTime',
      'maintenanceWindow',
      'creatorName',
      'createTime',
    ],
    hidden: ['sendTime', 'maintenanceWindow'],
    filters: ['command', 'progress', 'sn', 'taskId', 'createTime'],
    sort: '-createTime',
  },
  palette: {
    by: ['taskId'],
    tells: ['command', 'description', 'total', 'succeeded', 'failed', 'waiting', 'creatorName'],
    opens: { path: '/deviceTask/detail/:id', perm: 'deviceTask:list:detail' },
  },
  perms: { list: 'deviceTask:list:list', export: 'deviceTask:list:export' },
  scope: 'organisation',
  actions: taskActions({ cancel: 'deviceTask:list:cancel', retry: 'deviceTask:list:retry' }),
})

/** Why a device could not take or do it: a code or a word of ours, which has words in every language, or its own words. */
export const reasonKeys = (reason: string): readonly string[] => [
  `command.refusal.${reason}`,
  `error.${reason}`,
  `taskDevice.reason.${reason}`,
]

/** How often it was tried; what became of the earlier ones stands in its detail. */
export const attempt = readOnly(unsorted(number(1, 999_999)))

/** How much of an answer a list shows, and what stands behind it when there is more. The row's detail has the whole. */
export const shownInList = 500
export const cutMark = '…'

/** What 64 KiB of JSON may become when they are written out: a number of four characters takes up to twenty-two. */
const sentTextMax = 6 * messageMaxBytes
/** An object that was sent to a device or by it. */
export const sentText = (): ReturnType<typeof json> => ({
  ...json(sentTextMax),
  schema: z
    .string()
    .max(sentTextMax)
    .describe(
      `JSON as text. A list shows its first ${shownInList} characters with ${cutMark} behind them; the row’s detail has the whole.`,
    ),
})

/** One device of a task. */
export const taskDevice = defineResource({
  name: 'taskDevice',
  wire: { path: '/api/v3/device/task/device' },
  fields: {
    sn: readOnly(serial()),
    taskId: untold(readOnly(ref(() => deviceTask))),
    deviceId: readOnly(optional(ref(() => device, 'sn'))),
    command: wordedBy((name) => [commandTextKey(name)], readOnly(text(64))),
    createTime: readOnly(timestamp()),
    state: readOnly(choice(commandStates)),
    attempt,
    reason: wordedBy(reasonKeys, readOnly(optional(text(256)))),
    result: readOnly(optional(sentText())),
    /** What it sent in answer (a log, a screenshot), until that expires. */
    fileId: untold(readOnly(optional(number(1, Number.MAX_SAFE_INTEGER)))),
    fileName: readOnly(optional(text(255))),
    fileSize: readOnly(optional(number(0, Number.MAX_SAFE_INTEGER))),
    sentTime: readOnly(optional(timestamp())),
    endTime: readOnly(optional(timestamp())),
    /** From being sent to its end. */
    milliseconds: readOnly(optional(unsorted(number(0, Number.MAX_SAFE_INTEGER)))),
    /** What needs a look comes first: failed, refused and expired, then what is under way, then what is done. */
    urgency: untold(readOnly(number(0, 9))),
    updateTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'sn',
      'state',
      'reason',
      'result',
      'fileName',
      'createTime',
      'sentTime',
      'endTime',
      'milliseconds',
      'urgency',
    ],
    hidden: ['createTime', 'urgency'],
    card: ['reason', 'endTime'],
    filters: ['sn', 'state', 'taskId', 'deviceId'],
    sort: 'urgency',
  },
  perms: { list: 'deviceTask:list:detail', export: 'deviceTask:list:export' },
  scope: 'organisation',
})

export const taskDetail = defineEndpoint({
  name: 'taskDetail',
  method: 'GET',
  path: '/api/v3/device/task/detail',
  perm: 'deviceTask:list:detail',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => deviceTask) }),
  answer: z.object({ row: rowOf(() => deviceTask), args: anyObject }),
})
/** As many of those a planned task means as are answered at once. */
export const plannedAtOnce = 100
/**
 * Whom a planned task means and who of them would be refused, as they stand now: they are looked up anew when it begins.
 * `refusal` is the code that would keep it from beginning as things stand. Of the devices, those in reach are named, the
 * refused ones first.
 */
export const outlook = z.object({
  receiving: z.number().int(),
  refused: z.number().int(),
  refusal: z.number().int().nullable(),
  /** How many can be named, page by page. */
  total: z.number().int(),
  rows: z.array(
    z.object({ sn: z.string(), departmentName: z.string(), online: z.boolean(), code: z.number().int().nullable() }),
  ),
})
export type Outlook = z.output<typeof outlook>
export const outlookPage = z.coerce.number<string | number>().int().positive().default(1)
export const plannedDevices = defineEndpoint({
  name: 'plannedDevices',
  method: 'GET',
  path: '/api/v3/device/task/planned',
  perm: 'deviceTask:list:detail',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => deviceTask), page: outlookPage }),
  answer: outlook,
})
/** Every try with whoever asked for it and how it ended, the newest first. */
export const attempts = z.array(
  z.object({
    attempt: z.number().int(),
    time: z.string(),
    byName: z.string().nullable(),
    state: z.enum(commandStates),
    reason: z.string().nullable(),
    endTime: z.string().nullable(),
  }),
)
/** One device of a task with the whole of what it answered, and how often it was tried. */
export const taskDeviceDetail = defineEndpoint({
  name: 'taskDeviceDetail',
  method: 'GET',
  path: '/api/v3/device/task/device/detail',
  perm: taskDevice.perms.list,
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => taskDevice) }),
  answer: z.object({ row: rowOf(() => taskDevice), attempts }),
})
