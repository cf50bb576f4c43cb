import { device } from '../device/device.resource.ts'
import { serial } from '../device/facts.ts'
import {
  choice,
  defineResource,
  longText,
  mono,
  optional,
  readOnly,
  ref,
  text,
  timestamp,
  untold,
  wordedBy,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { faultKeys } from '../release/release.faults.ts'

/** Somebody, or a device, fetched an app, or a device could not. */
export const appDownload = defineResource({
  name: 'appDownload',
  wire: { path: '/api/v3/device/apk/download' },
  fields: {
    time: readOnly(timestamp()),
    appName: readOnly(text(255)),
    packageName: readOnly(mono(255)),
    version: readOnly(mono(128)),
    deviceId: untold(readOnly(optional(ref(() => device, 'sn')))),
    sn: readOnly(optional(serial())),
    userName: readOnly(optional(text())),
    result: readOnly(choice(['success', 'failure'])),
    reason: wordedBy(faultKeys, readOnly(optional(longText(256)))),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
  },
  identity: 'appName',
  list: {
    columns: ['appName', 'version', 'time', 'sn', 'userName', 'result', 'reason', 'departmentId'],
    hidden: ['departmentId'],
    filters: ['appName', 'sn', 'result', 'time'],
    sort: '-time',
  },
  perms: { list: 'iot:apkDownload:list', export: 'iot:apkDownload:export' },
  scope: 'organisation',
  menu: { key: 'appDownloads', under: 'appGroup', url: '/IOT/apk/download', icon: 'file' },
})
