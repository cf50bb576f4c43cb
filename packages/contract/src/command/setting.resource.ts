import { z } from 'zod'
import { device } from '../device/device.resource.ts'
import { serial } from '../device/facts.ts'
import { folder } from '../file/folder.ts'
import {
  answering,
  choice,
  defineEndpoint,
  defineResource,
  dictionary,
  type FieldValues,
  group,
  idInQuery,
  idOf,
  json,
  longText,
  number,
  optional,
  readOnly,
  ref,
  rowOf,
  text,
  timeOfDay,
  timestamp,
  timeZone,
  unsorted,
  valuesOf,
  wordedBy,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { commandErrors } from './command.errors.ts'
import { commandTextKey } from './commands.ts'
import { httpUrl, minutesApart, powerGapMinutes } from './device.commands.ts'
import { madeTask } from './task.order.ts'
import { sentText, targetShape } from './task.resource.ts'

/** What a profile of settings may hold; everything is optional, what is absent stays as the device has it. */
export const settingFields = {
  serverUrl: optional(httpUrl(256)),
  powerOff: optional(timeOfDay()),
  powerOn: optional(timeOfDay()),
  logLevel: optional(choice(['error', 'warn', 'info', 'debug'])),
  heartbeatSeconds: optional(number(10, 3600)),
  logPath: optional(folder()),
  volume: optional(number(0, 100)),
  brightness: optional(number(0, 100)),
  timeZone: optional(timeZone()),
}
export const settingItems = group(settingFields, ({ powerOff, powerOn }) =>
  powerOff && powerOn && minutesApart(powerOff, powerOn) < powerGapMinutes
    ? { field: 'powerOn', error: commandErrors.powerTimesTooClose, data: { minutes: powerGapMinutes } }
    : undefined,
)
export type SettingItems = FieldValues<typeof settingFields>
const madeVersion = z.object({ version: z.number().int() })

/** A named set of device settings; each save is a version, each push a task, each result kept. */
export const deviceSetting = defineResource({
  name: 'deviceSetting',
  wire: { path: '/api/v3/device/setting', listKey: 'param' },
  fields: {
    name: text(64),
    deviceType: optional(dictionary('deviceType')),
    departmentId: department(),
    departmentName: readOnly(text()),
    remark: optional(longText(256)),
    version: readOnly(number(0, Number.MAX_SAFE_INTEGER)),
    itemCount: readOnly(unsorted(number(0, 100))),
    deviceCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    updateTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'deviceType', 'departmentId', 'itemCount', 'deviceCount', 'version', 'updateTime'],
    filters: ['name', 'deviceType', 'departmentId'],
    sort: 'name',
  },
  form: { basics: ['name', 'deviceType', 'departmentId', 'remark'] },
  perms: {
    list: 'device:settings:list',
    create: 'device:settings:add',
    update: 'device:settings:edit',
    remove: 'device:settings:delete',
  },
  scope: 'organisation',
  palette: {
    tells: ['deviceType', 'departmentName', 'deviceCount'],
    opens: { path: '/device/settings/detail/:id', perm: 'device:settings:detail' },
  },
  actions: {
    saveItems: {
      on: 'row',
      perm: 'device:settings:edit',
      fields: { items: settingItems },
      answer: madeVersion,
    },
    /** Makes an older version the newest one; pushing it is a second step. */
    rollBack: {
      on: 'row',
      perm: 'device:settings:edit',
      fields: { version: number(1, Number.MAX_SAFE_INTEGER) },
      answer: madeVersion,
    },
  },
})
export const settingDetail = defineEndpoint({
  name: 'settingDetail',
  method: 'GET',
  path: '/api/v3/device/setting/detail',
  perm: 'device:settings:detail',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => deviceSetting) }),
  answer: z.object({
    id: z.number(),
    name: z.string(),
    deviceType: z.number().int().nullable(),
    version: z.number().int(),
    items: valuesOf(settingFields),
    versions: z.array(
      z.object({
        version: z.number().int(),
        items: valuesOf(settingFields),
        creatorName: z.string().nullable(),
        createTime: z.string(),
      }),
    ),
    devices: z.array(
      z.object({
        sn: z.string(),
        version: z.number().int().nullable(),
        state: z.string(),
        reason: z.string().nullable(),
        updateTime: z.string(),
      }),
    ),
  }),
})
/** Every push to every device with what changed. */
export const settingHistory = defineResource({
  name: 'settingHistory',
  wire: { path: '/api/v3/device/setting/history' },
  fields: {
    settingId: readOnly(ref(() => deviceSetting, 'settingName')),
    settingName: unsorted(readOnly(optional(text(64)))),
    deviceId: readOnly(optional(ref(() => device, 'sn'))),
    createTime: readOnly(timestamp()),
    creatorName: readOnly(optional(text())),
    sn: readOnly(serial()),
    version: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    item: wordedBy((item) => [`settingItem.field.${item}`], readOnly(text(64))),
    oldValue: readOnly(optional(text(256))),
    newValue: readOnly(optional(text(256))),
    result: readOnly(choice(['waiting', 'success', 'failed'])),
  },
  list: {
    columns: ['createTime', 'creatorName', 'sn', 'version', 'item', 'oldValue', 'newValue', 'result'],
    filters: ['settingId', 'sn', 'result', 'createTime', 'deviceId'],
    sort: '-createTime',
  },
  perms: { list: 'device:settings:history', export: 'device:settings:history' },
  scope: 'organisation',
})
/** What was asked of a device and what it answered, for people who look for a fault. */
export const queryLog = defineResource({
  name: 'queryLog',
  wire: { path: '/api/v3/device/queryLog' },
  fields: {
    createTime: readOnly(timestamp()),
    sn: readOnly(serial()),
    command: wordedBy((name) => [commandTextKey(name)], readOnly(text(64))),
    request: readOnly(optional(unsorted(sentText()))),
    response: readOnly(optional(unsorted(sentText()))),
    milliseconds: readOnly(optional(number(0, Number.MAX_SAFE_INTEGER))),
    creatorName: readOnly(optional(text())),
    result: readOnly(choice(['waiting', 'ok', 'error', 'timeout'])),
  },
  list: {
    columns: ['createTime', 'sn', 'command', 'request', 'response', 'milliseconds', 'creatorName', 'result'],
    card: ['sn', 'command'],
    filters: ['sn', 'command', 'result', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'device:queryLog:list', export: 'device:queryLog:export' },
  scope: 'organisation',
})
/** One question and its answer, whole. */
export const queryLogDetail = defineEndpoint({
  name: 'queryLogDetail',
  method: 'GET',
  path: '/api/v3/device/queryLog/detail',
  perm: queryLog.perms.list,
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => queryLog) }),
  answer: z.object({ row: rowOf(() => queryLog) }),
})
/** A bench for one model: a command template, one test device, the raw answer. */
export const testModel = defineResource({
  name: 'testModel',
  wire: { path: '/api/v3/device/testModel' },
  fields: {
    model: text(64),
    sn: serial(),
    command: text(64),
    payload: optional(answering(93020, json())),
    departmentId: department(),
    departmentName: readOnly(text()),
    lastRun: readOnly(optional(timestamp())),
    lastState: readOnly(optional(text(32))),
    lastResult: readOnly(optional(json())),
  },
  list: { columns: ['model', 'sn', 'command', 'lastRun', 'lastState'], filters: ['model', 'sn'], sort: 'model' },
  form: { basics: ['model', 'sn', 'command', 'payload', 'departmentId'] },
  perms: {
    list: 'device:testModel:list',
    create: 'device:testModel:add',
    update: 'device:testModel:edit',
    remove: 'device:testModel:delete',
  },
  scope: 'organisation',
  actions: {
    run: {
      on: 'row',
      perm: 'device:testModel:run',
      answer: madeTask,
      errors: [30104],
    },
  },
})
/** The newest version to devices, as a task of its own. */
export const pushSetting = defineEndpoint({
  name: 'pushSetting',
  method: 'POST',
  path: '/api/v3/device/setting/push',
  perm: 'device:settings:push',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({ id: idOf(() => deviceSetting), ...targetShape }),
  answer: madeTask,
})
export const settingEndpoints = [settingDetail, pushSetting, queryLogDetail]
