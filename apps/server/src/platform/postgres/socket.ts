import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** sun_path holds 108 bytes with the closing zero on Linux, 104 elsewhere. */
const longest = process.platform === 'linux' ? 107 : 103

/**
 * The `host` with which a client reaches the socket inside the cluster's folder. When its path is too long for a
 * socket, we keep the folder open and go through the descriptor: nothing is left anywhere, and no cleaner of
 * temporary folders can take it away.
 */
export function openSocketHost(folder: string): { host: string; close(): void } {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longest) return { host: folder, close: () => undefined }
  if (process.platform !== 'linux') {
    throw new OperatorError(
      `The path ${folder} is too long for a socket on this system: choose a shorter CAMPANILE_DATA.`,
    )
  }
  const descriptor = openSync(folder, 'r')
  return { host: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
}
