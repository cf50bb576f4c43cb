import { z } from 'zod'
import { serialMax, serialNumber } from '../device/facts.ts'
import { fileErrors } from '../file/file.errors.ts'
import { folder } from '../file/folder.ts'
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
/**
 * Asks a device for its log and waits a little for it. `fileUrl` is where it lies then; nothing while the device is offline
 * or still sending, and the log is found with its task and among the files once it has come.
 */
export const getLog = defineEndpoint({
  name: 'getLog',
  method: 'POST',
  path: '/api/v3/device/iot/getLog',
  perm: 'device:list:log',
  scope: 'organisation',
  faults: { sn: { missing: 30101, wrong: 204010 }, path: { wrong: fileErrors.pathWrong.code } },
  input: z.strictObject({
    sn: z.string().trim().min(1).max(serialMax).regex(serialNumber),
    type: z.enum(['crash', 'log', 'system', 'custom']).default('log'),
    path: folder().schema.optional(),
  }),
  answer: z.object({ taskId: z.string(), fileUrl: z.string().nullable() }),
})
export const uploadEndpoints = [uploadCommandFile, getLog]
