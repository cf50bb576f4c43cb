import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the demonstration in it; its server is not running. */
    grown: string
  }
}

export default async ({ provide }: TestProject) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-grown-'))
  const { stop } = await startServer(dataDir, { CAMPANILE_DEMO: '1' })
  await stop()
  provide('grown', dataDir)
  return () => rm(dataDir, { recursive: true, force: true })
}
