import { fileToFetch } from '../file/file-to-fetch.ts'
import { defineCommands, mono, optional, toggle } from '../kit/index.ts'
import { fetchConditions, manifestLine } from '../release/update-args.ts'
import { firmwareRelease } from './firmware.release.ts'

export const firmwareCommands = defineCommands('firmwareCommand', {
  /** Ends `done` when the new version runs and has proved itself, `failed` with a word of `deviceFaults` when the old one runs. */
  upgradeFirmware: {
    args: {
      version: mono(128),
      file: fileToFetch(),
      /** As `packages/manifest` signs it. */
      manifest: manifestLine(),
      /** An older version than the device has is meant. */
      downgrade: optional(toggle()),
      ...fetchConditions,
    },
    perm: firmwareRelease.perms.release,
    group: 'setUp',
    ownScreen: true,
    exclusive: { kind: 'restart', code: 93022 },
    repeatable: true,
    waitMinutes: 72 * 60,
  },
})
