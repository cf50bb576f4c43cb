import { z } from 'zod'
import { device } from '../device/device.resource.ts'
import { devicesMax, serial, serials } from '../device/facts.ts'
import {
  choice,
  defineResource,
  done,
  type Field,
  longText,
  mono,
  namedBy,
  number,
  optional,
  type Perm,
  readOnly,
  ref,
  text,
  timestamp,
  toggle,
  unlisted,
  unsorted,
  untold,
  wordedBy,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { faultKeys } from './release.faults.ts'
import { releaseActionWords, releaseKinds } from './release.kinds.ts'
import {
  pauseReasons,
  releaseDeviceStates,
  releaseMachine,
  releaseProgress,
  releaseStates,
  taskProgress,
} from './release.machine.ts'
import { installModes, releaseModes, wavesMax } from './release.options.ts'

const figure = () => readOnly(unsorted(number(0, devicesMax)))
/** How it stands with the devices of a release. */
export const releaseFigures = {
  total: readOnly(number(0, devicesMax)),
  /** Of those that are published, whoever was not told yet: its wave has not begun, or its time has not come. */
  waiting: figure(),
  /** Whoever was sent it, however it ended. */
  told: figure(),
  published: figure(),
  downloading: figure(),
  upgrading: figure(),
  succeeded: figure(),
  failed: figure(),
  pendingRetry: figure(),
  cancelled: figure(),
  /** Beside the total: those that could not take it when it was made. */
  refused: figure(),
}

/** Called the same in every list of releases. */
const asReleases = <F extends Field>(name: string, field: F): F =>
  namedBy((option) => `release.option.${name}.${option}`, field)

/** The fields of a release, whichever list it stands in. */
export const releaseFields = {
  number: readOnly(mono(24)),
  itemId: untold(readOnly(number(1, Number.MAX_SAFE_INTEGER))),
  itemName: readOnly(text(255)),
  itemVersion: readOnly(optional(mono(128))),
  action: readOnly(asReleases('action', choice(releaseActionWords))),
  mode: readOnly(asReleases('mode', choice(releaseModes))),
  installMode: readOnly(optional(asReleases('installMode', choice(installModes)))),
  state: readOnly(asReleases('state', choice(releaseStates))),
  stateReason: readOnly(optional(asReleases('stateReason', choice(pauseReasons)))),
  progress: readOnly(asReleases('progress', choice(releaseProgress))),
  taskProgress: readOnly(asReleases('taskProgress', choice(taskProgress))),
  /** The one that has begun last, counted from 1; 0: none has. */
  wave: readOnly(number(0, wavesMax)),
  waveCount: readOnly(number(1, wavesMax)),
  ...releaseFigures,
  description: readOnly(optional(longText(256))),
  /** When it begins, or began. */
  beginTime: readOnly(optional(timestamp())),
  endTime: readOnly(optional(timestamp())),
  /** A release one of these devices takes part in. */
  sn: readOnly(unlisted(serial())),
  departmentId: readOnly(department()),
  departmentName: readOnly(text()),
  creatorName: readOnly(optional(text())),
  createTime: readOnly(timestamp()),
}

/** What can be done with a release, whichever list it stands in. The permission of its kind is asked for besides. */
export const releaseActions = (perms: { readonly control: Perm; readonly cancel: Perm; readonly retry: Perm }) =>
  ({
    /** Nobody new is told; whoever was told goes on. */
    pause: {
      on: 'row',
      perm: perms.control,
      moves: { machine: releaseMachine, event: 'pause', field: 'state' },
      answer: done,
    },
    /** What failed until now is not held against it a second time. */
    resume: {
      on: 'row',
      perm: perms.control,
      moves: { machine: releaseMachine, event: 'resume', field: 'state' },
      answer: done,
    },
    /** For good: whoever has not begun never will. */
    stop: {
      on: 'row',
      perm: perms.control,
      moves: { machine: releaseMachine, event: 'stop', field: 'state' },
      answer: z.object({ cancelled: z.number().int() }),
      destroys: true,
    },
    /** Goes on to the next wave at once: neither the rest of this one nor its bake is waited for. */
    skipWave: { on: 'row', perm: perms.control, answer: done },
    retryFailed: { on: 'row', perm: perms.retry, answer: z.object({ retried: z.number().int() }) },
    retryDevices: {
      on: 'row',
      perm: perms.retry,
      fields: { sns: serials() },
      answer: z.object({ retried: z.number().int() }),
    },
    cancelDevices: {
      on: 'row',
      perm: perms.cancel,
      fields: { sns: serials() },
      answer: z.object({ cancelled: z.number().int() }),
    },
    /** Stops it, and makes another that undoes it on every device it has reached; answers that one. */
    rollBack: { on: 'row', perm: perms.control, answer: z.object({ id: z.number().int() }), destroys: true },
  }) as const

/** One rollout of one item to devices, of whatever kind. */
export const release = defineResource({
  name: 'release',
  wire: { path: '/api/v3/release' },
  fields: { ...releaseFields, kind: readOnly(choice(releaseKinds)) },
  list: {
    columns: [
      'number',
      'itemName',
      'itemVersion',
      'kind',
      'action',
      'state',
      'total',
      'succeeded',
      'failed',
      'wave',
      'progress',
      'mode',
      'creatorName',
      'createTime',
    ],
    hidden: ['itemVersion', 'mode'],
    card: ['itemName', 'progress', 'createTime'],
    filters: ['itemName', 'kind', 'state', 'progress', 'sn', 'number', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'release:list:list', export: 'release:list:export' },
  scope: 'organisation',
  menu: { key: 'releases', under: 'iot', url: '/release/list', icon: 'package' },
  palette: {
    by: ['number', 'itemName'],
    tells: ['itemName', 'kind', 'state', 'total', 'succeeded', 'failed', 'creatorName'],
    opens: { path: '/release/detail/:id', perm: 'release:list:detail' },
  },
  actions: releaseActions({
    control: 'release:list:control',
    cancel: 'release:list:cancel',
    retry: 'release:list:retry',
  }),
})

/** The fields of one device of a release, whichever list it stands in. */
export const releaseDeviceFields = {
  sn: readOnly(serial()),
  releaseId: untold(readOnly(ref(() => release))),
  deviceId: untold(readOnly(optional(ref(() => device, 'sn')))),
  departmentId: readOnly(department()),
  departmentName: readOnly(text()),
  wave: readOnly(number(1, wavesMax)),
  state: readOnly(choice(releaseDeviceStates)),
  /** Its wave has begun and it was sent the release, or is told nothing: it is only published. */
  told: readOnly(toggle()),
  percent: readOnly(optional(number(0, 100))),
  reason: wordedBy(faultKeys, readOnly(optional(text(64)))),
  detail: readOnly(optional(text(256))),
  attempt: readOnly(number(0, 999)),
  /** How often it is tried by itself. */
  attempts: readOnly(unsorted(number(1, 99))),
  oldVersion: readOnly(optional(mono(128))),
  newVersion: readOnly(optional(mono(128))),
  toldTime: readOnly(optional(timestamp())),
  /** When it is tried again, or when it is waited for no longer. */
  dueTime: readOnly(optional(timestamp())),
  changeTime: readOnly(timestamp()),
  endTime: readOnly(optional(timestamp())),
  /** What needs a look comes first: failed, then what is tried again, what is under way, and what is done. */
  urgency: untold(readOnly(number(0, 9))),
}

/** One device of a release. */
export const releaseDevice = defineResource({
  name: 'releaseDevice',
  wire: { path: '/api/v3/release/device' },
  fields: releaseDeviceFields,
  list: {
    columns: [
      'sn',
      'departmentId',
      'wave',
      'state',
      'percent',
      'attempt',
      'reason',
      'detail',
      'oldVersion',
      'newVersion',
      'dueTime',
      'changeTime',
      'urgency',
    ],
    hidden: ['oldVersion', 'newVersion', 'dueTime', 'urgency'],
    card: ['state', 'reason', 'changeTime'],
    filters: ['sn', 'state', 'wave', 'told', 'reason', 'departmentId', 'releaseId', 'deviceId'],
    sort: 'urgency',
  },
  perms: { list: 'release:list:detail', export: 'release:list:export' },
  scope: 'organisation',
})

/** What happens to a release and to its devices. */
export const releaseStepWords = [
  'created',
  'begun',
  'waveBegun',
  'waveEnded',
  'baking',
  'paused',
  'pausedByItself',
  'resumed',
  'waveSkipped',
  'stopped',
  'rolledBack',
  'reopened',
  'ended',
  'told',
  'downloading',
  'upgrading',
  'succeeded',
  'failed',
  'retryPlanned',
  'retried',
  'cancelled',
] as const
export type ReleaseStepWord = (typeof releaseStepWords)[number]

/** One of them, in the order in which they happened. */
export const releaseStep = defineResource({
  name: 'releaseStep',
  wire: { path: '/api/v3/release/step' },
  fields: {
    time: readOnly(timestamp()),
    releaseId: untold(readOnly(ref(() => release))),
    what: readOnly(choice(releaseStepWords)),
    sn: readOnly(optional(serial())),
    deviceId: untold(readOnly(optional(ref(() => device, 'sn')))),
    wave: readOnly(optional(number(1, wavesMax))),
    /** A fault, or why it stands still. */
    reason: wordedBy(
      (word) => [...faultKeys(word), `release.option.stateReason.${word}`],
      readOnly(optional(text(64))),
    ),
    detail: readOnly(optional(text(256))),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
  },
  list: {
    columns: ['time', 'what', 'sn', 'wave', 'reason', 'detail', 'creatorName'],
    filters: ['what', 'sn', 'time', 'releaseId', 'deviceId'],
    sort: '-time',
  },
  identity: 'time',
  perms: { list: 'release:list:detail' },
  scope: 'organisation',
})
