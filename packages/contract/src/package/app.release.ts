import type { ReleaseKindSpec } from '../release/release.kind.ts'
import { carefulWaves } from '../release/release.options.ts'
import { packageErrors } from './package.errors.ts'

/** An app that does not start takes a device out of work: one, then a hundredth, then a tenth, then all. */
export const appRelease = {
  actions: ['install', 'uninstall', 'enable', 'disable', 'clearData'],
  undone: { enable: 'disable', disable: 'enable' },
  modes: ['realTime', 'offline', 'scheduled'],
  installModes: ['silent', 'semiSilent', 'nonSilent', 'downloadOnly', 'publishOnly'],
  conditions: ['minBattery', 'wifiOnly', 'bytesPerSecond', 'rollBack'],
  perms: {
    release: 'iot:apk:release',
    list: 'iot:apkHistory:list',
    cancel: 'iot:apkHistory:cancel',
    retry: 'iot:apkHistory:retry',
  },
  errors: {
    notFound: packageErrors.notFound,
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
    waves: [...carefulWaves],
    bakeMinutes: 30,
    failPercent: 5,
    successPercent: 90,
    health: { online: true, heartbeat: true, noCrash: true },
    retries: 3,
    timeoutMinutes: { published: 24 * 60, downloading: 4 * 60, upgrading: 60 },
    rollBack: true,
  },
} as const satisfies ReleaseKindSpec
