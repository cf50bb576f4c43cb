/** `npm run simulate -- …`: many simulated devices in one process. Given none, it has the running server register some. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildStale, install, root } from './workspace.mjs'

const usual = '1000'
const args = process.argv.slice(2)
const named = (option) => args.find((each, at) => args[at - 1] === option || each.startsWith(`${option}=`))
const isGiven = (option) => args.some((each) => each === option || each.startsWith(`${option}=`))

install()
const isOwn = !['--credentials', '--past', '--help'].some(isGiven)
buildStale(isOwn ? ['server', 'simulator'] : ['simulator'])
if (isOwn) {
  const count = named('--devices')?.replace(/^--devices=/, '') ?? usual
  const cli = join(root, 'apps/server/dist/cli.js')
  const made = spawnSync(process.execPath, [cli, 'simulated-devices', count], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (made.status !== 0) process.exit(made.status ?? 1)
  process.argv.push('--credentials', made.stdout.trim())
}
await import('../apps/simulator/dist/simulator.js')
