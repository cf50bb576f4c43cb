import { packageName } from '../command/device.commands.ts'
import { fileToFetch } from '../file/file-to-fetch.ts'
import { choice, defineCommands, mono, optional, when } from '../kit/index.ts'
import { fetchConditions, manifestLine } from '../release/update-args.ts'

/** What can be done with an app on a device. */
export const appActions = ['install', 'uninstall', 'enable', 'disable', 'clearData'] as const
/** How a device goes about it: asking whoever stands before it, telling them, or neither; or only fetching the file. */
export const appInstallModes = ['nonSilent', 'silent', 'semiSilent', 'downloadOnly'] as const

const installing = { field: 'action', is: ['install'] } as const

export const packageCommands = defineCommands('packageCommand', {
  /** Ends `done` when the new version runs and has proved itself, `failed` with a word of `deviceFaults` when the old one runs. */
  installApp: {
    args: {
      package: packageName(),
      action: choice(appActions),
      version: when(installing, mono(128)),
      file: when(installing, fileToFetch()),
      /** As `packages/manifest` signs it. */
      manifest: when(installing, manifestLine()),
      installMode: optional(when(installing, choice(appInstallModes))),
      ...fetchConditions,
    },
    perm: 'iot:apk:release',
    group: 'apps',
    ownScreen: true,
    repeatable: true,
    waitMinutes: 72 * 60,
  },
})
