/**
 * Every device says as much as it is let: memory over time, what was coalesced and dropped, how long people wait meanwhile,
 * and whether anything that was acknowledged is missing. `--minutes 10 --devices 10000`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { register, startFleet } from './fleet.ts'
import { figure, machine, percentile } from './installation.ts'
import { startProduct } from './product.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, devices: { type: 'string', default: '10000' } },
})
const minutes = Number(values.minutes)
const devices = Number(values.devices)
const inFlight = 100

const product = await startProduct()
const fleet = startFleet()
try {
  await register(product.owner, devices)
  await fleet.connect(product.mqttPort, devices)
  const people = await product.signIn()
  const waits: number[] = []
  const askOnce = async () => {
    const began = performance.now()
    await people.call('GET', '/api/v3/device/basic/list', { query: { pageSize: 20, iotStatus: 'online' } })
    waits.push(performance.now() - began)
  }
  for (let n = 0; n < 20; n += 1) await askOnce()
  const quiet = percentile(
    waits.splice(0).sort((a, b) => a - b),
    0.95,
  )

  console.log(`${machine()}\n${devices} devices, up to ${inFlight} messages of each under way, ${minutes} min\n`)
  console.log('| minute | gateway MiB | server MiB | database MiB | waiting |\n|---|---|---|---|---|')
  const began = Date.now()
  let over = false
  const line = async () => {
    const { gateway, server, database } = product.memory()
    const waiting = await product.metric('campanile_device_messages_waiting')
    const minute = figure((Date.now() - began) / 60_000)
    console.log(`| ${minute} | ${figure(gateway, 0)} | ${figure(server, 0)} | ${figure(database, 0)} | ${waiting} |`)
  }
  const watch = (async () => {
    for (let second = 0; !over; second += 1) {
      if (second % (minutes > 2 ? 30 : 10) === 0) await line()
      await askOnce()
      await sleep(1_000)
    }
  })()
  const said = await fleet.publish(minutes * 60, { inFlight })
  over = true
  await watch
  await line()
  await sleep(5_000)
  const safe = await fleet.safe()
  const missing = await product.owner.query<{ missing: string }>(
    `select count(*) as missing from unnest($1::text[], $2::bigint[]) as u(sn, ts)
     join device d on d.sn = u.sn join device_state s on s.device_id = d.id
     where coalesce((s.values->'cpu'->>'t')::bigint, 0) < u.ts`,
    [safe.map(([sn]) => sn), safe.map(([, ts]) => ts)],
  )
  const waited = waits.sort((a, b) => a - b)
  console.log(
    '\n| acknowledged /s | acknowledged and lost | coalesced points | dropped | list p95 ms | before | ratio |\n|---|---|---|---|---|---|---|',
  )
  const rate = said.acknowledged / (minutes * 60)
  const [coalesced, dropped] = [
    await product.metric('campanile_device_points_coalesced_total'),
    await product.metric('campanile_device_messages_dropped_total'),
  ]
  console.log(
    `| ${figure(rate, 0)} | ${missing.rows[0]?.missing} of ${said.acknowledged} | ${coalesced} | ${dropped} | ${figure(percentile(waited, 0.95), 0)} | ${figure(quiet, 0)} | ${figure(percentile(waited, 0.95) / quiet, 1)} |`,
  )
  await fleet.end()
} finally {
  await product.stop()
}
