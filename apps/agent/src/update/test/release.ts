import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '@campanile/manifest'
import type { Platform } from '../../test/platform.ts'

/** An archive that holds a program which says its version, and whether it is well. */
export const makeArchive = async (folder: string, version: string, isWell: boolean, bytes: number): Promise<Buffer> => {
  const inside = join(folder, 'made')
  await rm(inside, { recursive: true, force: true })
  await mkdir(inside)
  await writeFile(join(inside, 'run.sh'), `#!/bin/sh\necho ${version}\nexit ${isWell ? 0 : 1}\n`)
  await chmod(join(inside, 'run.sh'), 0o755)
  await writeFile(join(inside, 'padding'), randomBytes(bytes))
  const path = join(folder, 'made.tar.gz')
  execFileSync('tar', ['-czf', path, '-C', inside, '.'])
  return readFile(path)
}

let released = 0
/** Offers a file as the server does: its address and its manifest. */
export const offer = (
  platform: Platform,
  content: Buffer,
  promise: Pick<Manifest, 'kind' | 'version'> & Partial<Manifest>,
) => {
  released += 1
  const path = `/device/v1/download/${released}`
  platform.downloads.set(path, content)
  const file = {
    url: `${path}?until=2000000000&sig=abc`,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    name: `${promise.kind}-${promise.version}.tar.gz`,
  }
  const { size, sha256, name } = file
  const expires = Math.floor(Date.now() / 1000) + 3600
  const manifest = platform.sign({
    name,
    size,
    sha256,
    models: promise.kind === 'app' ? [] : ['Bench'],
    expires,
    ...promise,
  })
  return { version: promise.version, file, manifest }
}
