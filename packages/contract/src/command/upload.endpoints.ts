import { z } from 'zod'
import { defineEndpoint } from '../kit/index.ts'
import { commandSpec, fileCommands } from './commands.ts'

/** The largest file any command is answered with. */
const fileMaxBytes = Math.max(...fileCommands.map((name) => commandSpec(name)?.fileMaxBytes ?? 0))

/**
 * Where a device puts the file a command asked for. One file is kept; sent again, the same bytes are confirmed again, because
 * the first confirmation may have been lost. The body is the file, its name stands in `Content-Disposition`.
 * Who may is told by the token of that very command (`X-Upload-Token`); the command's id is part of the path it was given.
 */
export const uploadCommandFile = defineEndpoint({
  name: 'uploadCommandFile',
  method: 'PUT',
  path: '/device/v1/upload/:id',
  perm: 'public',
  scope: 'public',
  // A device's own word, like its messages; the command it answers has its line.
  quiet: true,
  upload: { maxBytes: fileMaxBytes, raw: true },
  input: z.strictObject({ id: z.string().max(64) }),
  answer: z.object({ bytes: z.number().int(), sha256: z.string() }),
})
export const uploadEndpoints = [uploadCommandFile]
