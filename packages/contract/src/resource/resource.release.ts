import { fileErrors } from '../file/file.errors.ts'
import { folder } from '../file/folder.ts'
import { answering, optional, startingWith } from '../kit/index.ts'
import { packageErrors } from '../package/package.errors.ts'
import type { ReleaseKindSpec } from '../release/release.kind.ts'
import { resourceErrors } from './resource.errors.ts'

/** A file that is laid into a folder of a device. Nothing runs of it by itself: one device, then a tenth, then all. */
export const resourceRelease = {
  actions: ['put'],
  modes: ['realTime', 'offline', 'scheduled'],
  installModes: [],
  fields: { path: optional(startingWith('/', answering(fileErrors.pathWrong.code, folder()))) },
  conditions: ['minBattery', 'wifiOnly', 'bytesPerSecond'],
  perms: {
    release: 'custom:resource:release',
    list: 'custom:release:list',
    cancel: 'custom:release:cancel',
    retry: 'custom:release:retry',
  },
  errors: {
    notFound: resourceErrors.notFound,
    tooMany: packageErrors.tooManyDevices,
    noneSelected: packageErrors.noDeviceSelected,
    timeRequired: packageErrors.timeRequired,
    timePassed: packageErrors.timePassed,
    deviceRunning: packageErrors.deviceTaskRunning,
    departmentRunning: packageErrors.departmentTaskRunning,
    notCancellable: packageErrors.notCancellable,
    notRetryable: packageErrors.notRetryable,
  },
  defaults: {
    waves: [{ devices: 1 }, { percent: 10 }, { percent: 100 }],
    bakeMinutes: 0,
    failPercent: 10,
    successPercent: 0,
    retries: 2,
    timeoutMinutes: { published: 24 * 60, downloading: 4 * 60, upgrading: 30 },
  },
} as const satisfies ReleaseKindSpec
