import { chmod, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const root = import.meta.dirname

/** One file that needs nothing but Node: it is copied to a machine and run there. */
await rm(`${root}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { agent: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  logLevel: 'warning',
  // Packages in the older module format ask for Node's own modules with `require`.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
  },
})
await chmod(`${root}/dist/agent.js`, 0o755)
