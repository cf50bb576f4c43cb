/** `npm start`: installs what is missing, builds what is stale, then becomes the server. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildStale, install, root } from './workspace.mjs'

if (process.argv.includes('--help')) {
  const { options, variables } = JSON.parse(readFileSync(join(root, 'apps/server/src/platform/settings.json'), 'utf8'))
  const table = (rows) => {
    const width = Math.max(...rows.map((row) => row.name.length))
    return rows
      .map(({ name, meaning, default: value }) => `  ${name.padEnd(width)}  ${meaning}${value ? ` [${value}]` : ''}`)
      .join('\n')
  }
  console.log(`npm start -- [options]\n\nOptions\n${table(options)}\n\nEnvironment [default]\n${table(variables)}`)
  process.exit(0)
}

install()
buildStale()
process.chdir(root)
await import('../apps/server/dist/main.js')
