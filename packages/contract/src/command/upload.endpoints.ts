import { z } from 'zod'
import { serialMax, serialNumber } from '../device/facts.ts'
import { defineEndpoint } from '../kit/index.ts'
import type { CommandName } from './commands.ts'

const megabyte = 1024 * 1024

/** Commands that are answered with a file, and what it may weigh. */
export const uploadMaxBytes: Partial<Record<CommandName, number>> = {
  uploadLog: 50 * megabyte,
  screenshot: 10 * megabyte,
}
export const fileCommands = Object.keys(uploadMaxBytes) as CommandName[]

/**
 * Where a device puts the file a command asked for. One file is kept; sent again, the same bytes are confirmed again, because
 * the first confirmation may have been lost. The body is the file, its name stands in `Content-Disposition`.
 * Who may is told by the token of that very command (`X-Upload-Token`); the command's id is part of the path it was given.
 */
export const uploadCommandFile = defineEndpoint<{ bytes: number; sha256: string }>()({
  name: 'uploadCommandFile',
  method: 'PUT',
  path: '/device/v1/upload/:id',
  perm: 'public',
  scope: 'public',
  // A device's own word, like its messages; the command it answers has its line.
  quiet: true,
  upload: { maxBytes: 50 * megabyte, raw: true },
  input: z.strictObject({ id: z.string().max(64) }),
})
/**
 * Asks a device for its log and waits a little for it. `fileUrl` is where it lies then; nothing while the device is offline
 * or still sending, and the log is found with its task and among the files once it has come.
 */
export const getLog = defineEndpoint<{ taskId: string; fileUrl: string | null }>()({
  name: 'getLog',
  method: 'POST',
  path: '/api/v3/device/iot/getLog',
  perm: 'device:list:log',
  scope: 'organisation',
  faults: { sn: { missing: 30101, wrong: 204010 } },
  input: z.strictObject({
    sn: z.string().trim().min(1).max(serialMax).regex(serialNumber),
    type: z.enum(['crash', 'log', 'system', 'custom']).default('log'),
    path: z.string().max(100).optional(),
  }),
})
export const uploadEndpoints = [uploadCommandFile, getLog]
