/**
 * Messages of any kind, right, wrong at the edges or nonsense, from packet to row: none may end a process, hang or cost a
 * neighbour. Fails when one does; the seed makes the same messages again.
 * `--messages 1000000 --devices 200 --seed 1`
 */
import { parseArgs } from 'node:util'
import { fuzzGateway } from '../apps/server/src/test/fuzz-devices.ts'
import { register, secretOf, serialOf } from './fleet.ts'
import { figure, machine } from './installation.ts'
import { startProduct } from './product.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    devices: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})
const [messages, devices, seed] = [values.messages, values.devices, values.seed].map(Number) as [number, number, number]

const product = await startProduct({})
try {
  await register(product.owner, devices + 1)
  const fleet = Array.from({ length: devices + 1 }, (_, n) => {
    const sn = serialOf(n + 1)
    return { sn, password: secretOf(sn) }
  })
  const disturber = fleet.pop() as (typeof fleet)[number]
  const before = product.processes()
  const began = performance.now()
  const outcome = await fuzzGateway(product.mqttPort, fleet, disturber, { messages, seed }).catch(async (error) => {
    // Why somebody was cut off stands in the list of refusals, a moment later.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const { rows } = await product.owner.query("select sn, reason from refused_connection where reason <> 'malformed'")
    throw new Error(`${error.message}: ${JSON.stringify(rows)}`)
  })
  const seconds = (performance.now() - began) / 1000
  const after = product.processes()
  const neighbours = [...outcome.neighbours.values()].reduce((sum, some) => sum + some.length, 0)
  const { rows } = await product.owner.query("select count(*)::int as kept from device_event where type = 'neighbour'")
  const lost = neighbours - Number(rows[0].kept)
  const isSame = JSON.stringify(before) === JSON.stringify(after)
  console.log(`${machine()}\n${devices} devices, seed ${seed}\n`)
  console.log(
    '| messages | stored | refused | neighbours | lost | told wrongly | processes that ended | seconds | /s |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  const { sent, stored, refused, wrong } = outcome
  console.log(
    `| ${sent} | ${stored} | ${refused} | ${neighbours} | ${lost} | ${wrong.length} | ${isSame ? 0 : 'some'} | ${figure(seconds)} | ${figure(sent / seconds, 0)} |`,
  )
  for (const each of wrong) console.log(each)
  if (lost > 0 || wrong.length > 0 || !isSame) process.exitCode = 1
} finally {
  await product.stop()
}
