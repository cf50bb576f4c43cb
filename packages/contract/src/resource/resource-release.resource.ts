import { z } from 'zod'
import { device } from '../device/device.resource.ts'
import { serial } from '../device/facts.ts'
import { folderMax } from '../file/folder.ts'
import {
  choice,
  defineResource,
  longText,
  mono,
  namedBy,
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
import { releaseDeviceStates, releaseResults } from '../release/release.machine.ts'
import { release } from '../release/release.resource.ts'
import { resourceRelease } from './resource.release.ts'

/** What became of resources on devices: a row for each device a resource was released to. */
export const resourceReleased = defineResource({
  name: 'resourceReleased',
  wire: { path: '/api/v3/device/rcm/release' },
  fields: {
    /** When it was released. */
    createTime: readOnly(timestamp()),
    itemName: readOnly(text(255)),
    /** The resource, as its statistics count it. */
    itemKey: untold(readOnly(text(255))),
    sn: readOnly(serial()),
    deviceId: untold(readOnly(optional(ref(() => device, 'sn')))),
    releaseId: untold(readOnly(ref(() => release))),
    path: readOnly(mono(folderMax)),
    description: readOnly(optional(longText(256))),
    result: readOnly(choice(releaseResults)),
    /** The same step by step: what can be cancelled or tried again follows from it. */
    state: untold(readOnly(namedBy((state) => `releaseDevice.option.state.${state}`, choice(releaseDeviceStates)))),
    reason: wordedBy(faultKeys, readOnly(optional(text(64)))),
    detail: readOnly(optional(text(256))),
    changeTime: readOnly(timestamp()),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
  },
  list: {
    columns: [
      'createTime',
      'itemName',
      'sn',
      'path',
      'description',
      'result',
      'reason',
      'detail',
      'changeTime',
      'departmentId',
      'creatorName',
    ],
    hidden: ['detail', 'changeTime', 'departmentId', 'creatorName'],
    card: ['itemName', 'path', 'result', 'createTime'],
    filters: ['itemName', 'sn', 'result', 'createTime', 'departmentId', 'itemKey'],
    sort: '-createTime',
  },
  identity: 'sn',
  perms: { list: resourceRelease.perms.list },
  scope: 'organisation',
  actions: {
    /** While a device is at it or waits to be tried again (behaviour: releases.cancel). */
    cancel: { on: 'rows', perm: resourceRelease.perms.cancel, answer: z.object({ cancelled: z.number().int() }) },
    /** What has failed (behaviour: releases.retry). */
    retry: { on: 'rows', perm: resourceRelease.perms.retry, answer: z.object({ retried: z.number().int() }) },
  },
})
