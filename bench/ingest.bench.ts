/**
 * Messages of 10,000 devices that are stored and then acknowledged, a second, against what PostgreSQL takes of the same rows
 * from one hand-written client in the same run. Everything shares the machine: devices, gateway, server and database.
 * `--seconds 20 --devices 10000 --profile FOLDER`
 */
import { parseArgs } from 'node:util'
import { register, startFleet } from './fleet.ts'
import { measureLimit } from './ingest-limit.ts'
import { figure, machine } from './installation.ts'
import { secondsUsed, startProduct } from './product.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    devices: { type: 'string', default: '10000' },
    profile: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const devices = Number(values.devices)

const product = await startProduct({ profile: values.profile })
const fleet = startFleet(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : [])
try {
  await register(product.owner, devices)
  const limit = await measureLimit(product.connect, Math.min(seconds, 10))
  await fleet.connect(product.mqttPort, devices)
  await fleet.publish(3)
  const before = { ...product.used(), generator: secondsUsed(fleet.pid) }
  const from = await fleet.stand()
  const began = performance.now()
  const to = await fleet.publish(seconds)
  const took = (performance.now() - began) / 1000
  const after = { ...product.used(), generator: secondsUsed(fleet.pid) }
  const stored = to.acknowledged - from.acknowledged
  const micros = (name: keyof typeof before) => ((after[name] - before[name]) * 1e6) / stored
  const rate = stored / took
  console.log(`${machine()}\n${devices} devices, three values a message, ${seconds} s\n`)
  console.log('| stored /s | limit /s | ratio | ack p50 ms | p99 ms | headroom |\n|---|---|---|---|---|---|')
  console.log(
    `| ${figure(rate, 0)} | ${figure(limit.rate, 0)} | ${figure(rate / limit.rate, 2)} | ${figure(to.p50, 0)} | ${figure(to.p99, 0)} | ${figure(await product.metric('campanile_device_headroom_ratio'), 2)} |\n`,
  )
  console.log(
    '| µs of processor a message | generator | gateway | server | database | limit: client | limit: database |',
  )
  console.log('|---|---|---|---|---|---|---|')
  const each = (['generator', 'gateway', 'server', 'database'] as const).map(micros)
  const total = each.reduce((sum, one) => sum + one)
  console.log(`| ${[total, ...each, limit.client, limit.database].map((one) => figure(one)).join(' | ')} |`)
  await fleet.end()
} finally {
  await product.stop()
}
