import { createExports } from './export/index.ts'
import { createImports } from './import/index.ts'
import type { LongWorkDeps } from './long-work-deps.ts'
import { createStoredFiles } from './stored-file/index.ts'

/** What takes longer than a request should. Made before the kit, whose verbs `export` and `import` begin it. */
export const createLongWork = (deps: LongWorkDeps) => ({
  exports: createExports(deps),
  imports: createImports(deps),
  storedFiles: createStoredFiles(deps),
  /** The editable code tables as they are now. */
  codes: deps.codes,
})

export type LongWork = ReturnType<typeof createLongWork>
