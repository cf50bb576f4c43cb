import type { ReleaseKindSpec } from '../release/release.kind.ts'
import { templateErrors } from './template.errors.ts'

/** A wrong Wi-Fi takes a device off the network, so a template is tried on one device, then on a tenth, then everywhere. */
export const templateRelease = {
  actions: ['apply', 'undo'],
  undone: { apply: 'undo' },
  modes: ['realTime', 'offline', 'scheduled'],
  installModes: [],
  conditions: [],
  perms: {
    release: 'config:template:apply',
    list: 'config:template:list',
    cancel: 'config:template:apply',
    retry: 'config:template:apply',
  },
  errors: {
    notFound: templateErrors.notFound,
    tooMany: templateErrors.tooManyDevices,
    noneSelected: templateErrors.noDeviceSelected,
    timeRequired: templateErrors.timeRequired,
    timePassed: templateErrors.timePassed,
    deviceRunning: templateErrors.deviceTaskRunning,
    departmentRunning: templateErrors.departmentTaskRunning,
    notCancellable: templateErrors.notCancellable,
    notRetryable: templateErrors.notRetryable,
  },
  defaults: {
    waves: [{ devices: 1 }, { percent: 10 }, { percent: 100 }],
    bakeMinutes: 2,
    failPercent: 10,
    successPercent: 50,
    health: { online: true },
    retries: 2,
    timeoutMinutes: { published: 60, downloading: 30, upgrading: 30 },
  },
} as const satisfies ReleaseKindSpec
