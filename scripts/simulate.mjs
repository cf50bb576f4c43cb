/** `npm run simulate -- …`: many simulated devices in one process. */
import { buildStale, install } from './workspace.mjs'

install()
buildStale(['simulator'])
await import('../apps/simulator/dist/simulator.js')
