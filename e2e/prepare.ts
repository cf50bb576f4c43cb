import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the demonstration in it; its server is not running. */
    grown: string
  }
}

const build = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))

export default async ({ provide }: TestProject) => {
  // Journeys go through what is built, which must be what is written.
  execFileSync(process.execPath, [build], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-grown-'))
  const { stop } = await startServer(dataDir, { CAMPANILE_DEMO: '1' })
  await stop()
  provide('grown', dataDir)
  return () => rm(dataDir, { recursive: true, force: true })
}
