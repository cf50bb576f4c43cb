/** `npm run campanile -- …`: the administration commands of the built server. */
import { buildStale, install, root } from './workspace.mjs'

install()
buildStale()
process.chdir(root)
await import('../apps/server/dist/cli.js')
