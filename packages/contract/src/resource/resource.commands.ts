import { fileToFetch } from '../file/file-to-fetch.ts'
import { folder } from '../file/folder.ts'
import { defineCommands, fileName, optional, text } from '../kit/index.ts'
import { fetchConditions } from '../release/update-args.ts'
import { resourceRelease } from './resource.release.ts'

export const resourceCommands = defineCommands('resource', {
  /** Fetch a file and put it into a folder, whole or not at all; blank means root. What lay there under that name is replaced. */
  putFile: {
    args: {
      file: fileToFetch(),
      path: optional(folder()),
      name: { ...text(255), schema: fileName },
      ...fetchConditions,
    },
    perm: resourceRelease.perms.release,
    group: 'setUp',
    ownScreen: true,
    repeatable: true,
    waitMinutes: 24 * 60,
  },
})
