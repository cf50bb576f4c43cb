import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

const root = import.meta.dirname

/** One file, so that a demo starts as fast as the server itself. */
await rm(`${root}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { simulator: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // Packages in the older module format ask for Node's own modules with `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
})
