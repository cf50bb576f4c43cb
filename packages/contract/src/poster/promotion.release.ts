import type { ReleaseKindSpec } from '../release/release.kind.ts'
import { posterErrors } from './poster.errors.ts'

/** Promotion text is a few hundred bytes and shown at once: it is tried on one device, then on a tenth, then everywhere. */
export const promotionRelease = {
  actions: ['show', 'hide'],
  undone: { show: 'hide' },
  modes: ['realTime', 'offline', 'scheduled'],
  installModes: [],
  conditions: [],
  perms: {
    release: 'promotion:list:release',
    list: 'promotion:list:list',
    cancel: 'promotion:list:release',
    retry: 'promotion:list:release',
  },
  errors: {
    notFound: posterErrors.notFound,
    tooMany: posterErrors.tooManyDevices,
    noneSelected: posterErrors.noDeviceSelected,
    timeRequired: posterErrors.timeRequired,
    timePassed: posterErrors.timePassed,
    deviceRunning: posterErrors.deviceTaskRunning,
    departmentRunning: posterErrors.departmentTaskRunning,
    notCancellable: posterErrors.notCancellable,
    notRetryable: posterErrors.notRetryable,
  },
  defaults: {
    waves: [{ devices: 1 }, { percent: 10 }, { percent: 100 }],
    bakeMinutes: 0,
    failPercent: 10,
    successPercent: 0,
    retries: 2,
    timeoutMinutes: { published: 60, downloading: 30, upgrading: 30 },
  },
} as const satisfies ReleaseKindSpec
