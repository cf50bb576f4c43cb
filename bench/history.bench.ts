/**
 * Values over time: bytes each once packed, against a plain table of one row a value with the index a chart needs, and the
 * time of a chart over an hour to a year. `--devices 50 --days 7`; a point a minute of three slowly changing values.
 */
import { parseArgs } from 'node:util'
import { appendPoints } from '../apps/server/src/domains/device/ingest.store.ts'
import { type Point, pointOf } from '../apps/server/src/domains/device/telemetry/codec.ts'
import { findHistory } from '../apps/server/src/domains/device/telemetry/history.ts'
import { keepTelemetry } from '../apps/server/src/domains/device/telemetry/packing.ts'
import { createDb } from '../apps/server/src/platform/db.ts'
import { register } from './fleet.ts'
import { figure, machine, percentile, raise, timed } from './installation.ts'

const { values } = parseArgs({
  options: { devices: { type: 'string', default: '50' }, days: { type: 'string', default: '7' } },
})
const [devices, days] = [Number(values.devices), Number(values.days)]
const hourMs = 3_600_000
const minuteMs = 60_000

/** A walk by small steps, as batteries and processors take it. */
const walk = (seed: number, t: number, low: number, high: number) =>
  Math.round((low + ((high - low) * (1 + Math.sin(seed + t / 4e6) + Math.sin(seed * 7 + t / 3e5) / 9)) / 2.3) * 10) / 10

const bench = await raise({ roles: 'api' })
try {
  const { db, close } = createDb({ ...bench.pool.options, password: bench.pool.options.password })
  await register(bench.owner, devices)
  const { rows } = await bench.owner.query<{ id: string }>('select id from device order by id')
  const ids = rows.map(({ id }) => Number(id))
  const now = Math.floor(Date.now() / hourMs) * hourMs
  const from = now - days * 24 * hourMs
  await bench.owner.query('create table plain (device_id bigint, name smallint, ts timestamptz, value real)')
  for (let hour = from; hour < now; hour += hourMs) {
    const points = ids.flatMap((id) =>
      Array.from({ length: 60 }, (_, minute) => {
        const ts = hour + minute * minuteMs
        const [battery, cpu, memory] = [walk(id, ts, 5, 95), walk(id * 3, ts, 1, 60), walk(id * 5, ts, 30, 50)]
        return { id, point: pointOf({ ts, battery, cpu, memory }) as Point }
      }),
    )
    await appendPoints(db, new Date(now), points)
  }
  await bench.owner.query(`insert into plain select device_id, n, to_timestamp(ts / 1000.0), n
    from telemetry_raw, generate_series(1, 3) n; create index on plain (device_id, name, ts)`)
  const stored = devices * days * 24 * 60 * 3
  const began = performance.now()
  await keepTelemetry(db, new Date(now + 2 * hourMs))
  const packing = performance.now() - began
  await bench.owner.query('vacuum full telemetry_rollup')
  const sizeOf = async (like: string) =>
    Number(
      (
        await bench.owner.query(
          `select coalesce(sum(pg_total_relation_size(oid)), 0) as size from pg_class where relkind = 'r' and relname like $1`,
          [like],
        )
      ).rows[0].size,
    )
  const [packed, rollups, plain] = [
    await sizeOf('telemetry_hour%'),
    await sizeOf('telemetry_rollup'),
    await sizeOf('plain'),
  ]
  console.log(`${machine()}\n${devices} devices, ${days} days, ${stored} values\n`)
  console.log(
    '| bytes a value | with its sums | a plain row | ratio | GiB a billion values | packing, values/s |\n|---|---|---|---|---|---|',
  )
  console.log(
    `| ${figure(packed / stored, 2)} | ${figure((packed + rollups) / stored, 2)} | ${figure(plain / stored)} | ${figure((packed + rollups) / plain, 3)} | ${figure((((packed + rollups) / stored) * 1e9) / 2 ** 30)} | ${figure((stored / packing) * 1000, 0)} |\n`,
  )
  console.log('| chart over | p50 ms | p95 ms | plain table p50 ms | ratio |\n|---|---|---|---|---|')
  for (const [name, span] of [
    ['an hour', hourMs],
    ['a day', 24 * hourMs],
    ['a week', 7 * 24 * hourMs],
    ['a year', 365 * 24 * hourMs],
  ] as const) {
    const ask = (run: number) =>
      findHistory(db, ids[run % ids.length] as number, ['battery', 'cpu', 'memory'], { from: now - span, to: now })
    const byHand = (run: number) =>
      bench.owner.query(
        `select name, date_bin(make_interval(secs => $3), ts, 'epoch') as at, min(value), avg(value), max(value) from plain
         where device_id = $1 and name in (1, 2, 3) and ts >= $2 group by 1, 2 order by 1, 2`,
        [ids[run % ids.length], new Date(now - span), Math.max(60, span / 1000 / 500)],
      )
    await timed(5, ask)
    const [ours, hand] = [await timed(40, ask), await timed(40, byHand)]
    console.log(
      `| ${name} | ${figure(percentile(ours, 0.5))} | ${figure(percentile(ours, 0.95))} | ${figure(percentile(hand, 0.5))} | ${figure(percentile(ours, 0.5) / percentile(hand, 0.5), 2)} |`,
    )
  }
  await close()
} finally {
  await bench.stop()
}
