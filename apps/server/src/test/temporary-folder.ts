import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Gone when the test is over. */
export async function temporaryFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'campanile-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
