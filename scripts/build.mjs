/** Builds what is stale, of everything or of what is named: `node scripts/build.mjs server agent`. */
import { buildStale } from './workspace.mjs'

const named = process.argv.slice(2)
buildStale(named.length > 0 ? named : undefined)
