/**
 * Connections held and what each costs, then the server killed: seconds until it serves again and until 10,000 devices are
 * back. `--connections 18000`; the limit of open files (ulimit -n) must be above that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measureBareSockets } from './bare-sockets.ts'
import { register, startFleet } from './fleet.ts'
import { figure, machine } from './installation.ts'
import { startProduct } from './product.ts'

const { values } = parseArgs({ options: { connections: { type: 'string', default: '18000' } } })
const connections = Number(values.connections)
const returning = Math.min(10_000, connections)

const product = await startProduct()
const fleet = startFleet()
try {
  await register(product.owner, connections)
  const bare = await measureBareSockets(Math.min(connections, 5_000))
  await fleet.connect(product.mqttPort, 100, { listens: true, keepalive: 60 })
  await sleep(3_000)
  const before = product.memory()
  const began = performance.now()
  await fleet.connect(product.mqttPort, connections - 100, { from: 100, listens: true, keepalive: 600 })
  const took = (performance.now() - began) / 1000
  await sleep(15_000)
  const after = product.memory()
  const { open } = await fleet.stand()
  const kib = (name: 'gateway' | 'server') => ((after[name] - before[name]) * 1024) / (connections - 100)
  console.log(`${machine()}\n`)
  console.log(
    '| held | connected /s | KiB each in the gateway | in the server | a bare socket | ratio |\n|---|---|---|---|---|---|',
  )
  console.log(
    `| ${open} | ${figure((connections - 100) / took, 0)} | ${figure(kib('gateway'))} | ${figure(kib('server'))} | ${figure(bare)} | ${figure(kib('gateway') / bare, 2)} |\n`,
  )
  await fleet.end()

  const crowd = startFleet()
  await crowd.connect(product.mqttPort, returning, { listens: true, keepalive: 60, returns: true })
  await product.kill()
  const killed = performance.now()
  await product.start()
  const serving = (performance.now() - killed) / 1000
  let back = 0
  while (back < returning && performance.now() - killed < 180_000) {
    await sleep(250)
    back = (await crowd.stand()).open
  }
  const returned = (performance.now() - killed) / 1000
  console.log('| restart to serving, s | devices | back after, s |\n|---|---|---|')
  console.log(`| ${figure(serving)} | ${back} | ${figure(returned)} |`)
  await crowd.end()
} finally {
  await product.stop()
}
