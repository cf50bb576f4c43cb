import { folder } from '../command/device.commands.ts'
import { fileToFetch } from '../file/file-to-fetch.ts'
import { defineCommands, fileName, optional, text } from '../kit/index.ts'

export const resourceCommands = defineCommands('resource', {
  /** Fetch a file and put it into a folder, whole or not at all; blank means root. What lay there under that name is replaced. */
  putFile: {
    args: {
      file: fileToFetch(),
      path: optional(folder()),
      name: { ...text(255), schema: fileName },
    },
    perm: 'custom:resource:edit',
    group: 'setUp',
    ownScreen: true,
    repeatable: true,
    waitMinutes: 24 * 60,
  },
})
