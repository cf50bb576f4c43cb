import { copyFile, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../hardware/linux/machine.ts'
import { asFault, UpdateFailed } from './fault.ts'

const longMs = 15 * 60_000

type Format = 'deb' | 'zip' | 'tar' | 'other'

/** By its bytes: a name says nothing. */
const formatOf = async (path: string): Promise<Format> => {
  const head = Buffer.alloc(512)
  const file = await open(path, 'r')
  try {
    await file.read(head, 0, head.length, 0)
  } finally {
    await file.close()
  }
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (head.toString('latin1', 0, 21) === '!<arch>\ndebian-binary') return 'deb'
  if (begins(0x50, 0x4b, 3, 4)) return 'zip'
  const isPacked = begins(0x1f, 0x8b) || begins(0xfd, 0x37, 0x7a, 0x58, 0x5a) || begins(0x28, 0xb5, 0x2f, 0xfd)
  return isPacked || head.toString('latin1', 257, 262) === 'ustar' ? 'tar' : 'other'
}

/** Fills a folder with what a package or an archive holds; any other file is put into it as it is. */
export const unpack = async (machine: Machine, path: string, name: string, folder: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const format = await formatOf(path)
    const run = (program: string, args: readonly string[]) => {
      if (!machine.has(program)) throw new UpdateFailed('installFailed', `${program} is not installed`)
      return machine.run(program, args, { timeoutMs: longMs })
    }
    if (format === 'deb') await run('dpkg-deb', ['--extract', path, folder])
    else if (format === 'zip') await run('unzip', ['-q', '-o', path, '-d', folder])
    else if (format === 'tar') await run('tar', ['--extract', '--no-same-owner', '--file', path, '--directory', folder])
    else await copyFile(path, join(folder, name))
    // On disk before anything leads there.
    await run('sync', ['--file-system', folder])
  } catch (error) {
    throw asFault(error, 'installFailed')
  }
}
