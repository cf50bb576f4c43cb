import { releaseErrors } from '../release/release.errors.ts'
import type { ReleaseKindSpec } from '../release/release.kind.ts'
import { carefulWaves } from '../release/release.options.ts'

/** Firmware that fails leaves nobody who could be asked: it is tried on one device, and looked at for a while each time. */
export const firmwareRelease = {
  /** An older version than a device has is a wish of its own. */
  actions: ['upgrade', 'downgrade'],
  modes: ['realTime', 'offline', 'scheduled'],
  installModes: [],
  conditions: ['minBattery', 'wifiOnly', 'bytesPerSecond'],
  perms: {
    release: 'iot:ota:release',
    list: 'iot:otaHistory:list',
    cancel: 'iot:otaHistory:cancel',
    retry: 'iot:otaHistory:retry',
    batch: 'iot:otaBatch:run',
  },
  errors: {
    notFound: releaseErrors.notFound,
    tooMany: releaseErrors.tooManyDevices,
    noneSelected: releaseErrors.noDeviceSelected,
    timeRequired: releaseErrors.timeRequired,
    timePassed: releaseErrors.timePassed,
    deviceRunning: releaseErrors.deviceTaskRunning,
    departmentRunning: releaseErrors.departmentTaskRunning,
    notCancellable: releaseErrors.notCancellable,
    notRetryable: releaseErrors.notRetryable,
    severalOrganisations: releaseErrors.severalOrganisations,
    offlineOneOnly: releaseErrors.offlineOneOnly,
  },
  defaults: {
    waves: [...carefulWaves],
    bakeMinutes: 30,
    failPercent: 5,
    successPercent: 90,
    health: { online: true },
    minBattery: 30,
    retries: 1,
    timeoutMinutes: { published: 24 * 60, downloading: 6 * 60, upgrading: 60 },
  },
} as const satisfies ReleaseKindSpec
