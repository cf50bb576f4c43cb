import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

const root = import.meta.dirname

/** Our own packages are TypeScript sources and go into the bundle; everything from npm stays in node_modules. */
const npmPackagesStayOutside = {
  name: 'npm-packages-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@campanile/') ? undefined : { path, external: true },
    )
  },
}

await rm(`${root}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts', 'src/cli.ts', 'src/gateway/main.ts', 'src/platform/sheet/read-worker.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [npmPackagesStayOutside],
})
