import type pg from 'pg'
import { pack } from '../apps/server/src/domains/device/telemetry/codec.ts'

const batch = 2_000

/** The rows of one message a device: its latest values and a point of its history. Numbers are right, not random. */
const rowsOf = (ids: readonly number[], turn: number) =>
  ids.map((id, at) => {
    const [n, t] = [turn * ids.length + at, Date.now()]
    const [battery, cpu, memory] = [(n % 900) / 10, (n % 800) / 10, (n % 700) / 10]
    const point = pack(
      [
        {
          ts: t,
          values: [
            [0, battery],
            [1, cpu],
            [3, memory],
          ],
        },
      ],
      t,
    )
    return {
      id,
      t,
      battery,
      values: { battery: { v: battery, t }, cpu: { v: cpu, t }, memory: { v: memory, t } },
      point,
    }
  })

/** What the database takes when nobody but it and one client with ready rows is there: the multi-row statements alone. */
export const measureLimit = async (connect: () => Promise<pg.Client>, seconds: number) => {
  const client = await connect()
  const { rows } = await client.query<{ id: string }>('select id from device order by id')
  const ids = rows.map(({ id }) => Number(id))
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  const { secondsUsed } = await import('./product.ts')
  const before = { client: process.cpuUsage(), database: secondsUsed(pid) }
  const began = performance.now()
  let stored = 0
  for (let turn = 0; performance.now() - began < seconds * 1000; turn += 1) {
    const from = (turn * batch) % ids.length
    const made = rowsOf(ids.slice(from, from + batch), turn)
    await client.query('begin')
    await client.query({
      name: 'state',
      text: `update device_state s set values = u.v::jsonb, battery = u.b, last_seen = to_timestamp(u.t / 1000.0)
        from unnest($1::bigint[], $2::text[], $3::int[], $4::float8[]) u(id, v, b, t) where s.device_id = u.id`,
      values: [
        made.map(({ id }) => id),
        made.map(({ values }) => JSON.stringify(values)),
        made.map(({ battery }) => Math.round(battery)),
        made.map(({ t }) => t),
      ],
    })
    await client.query({
      name: 'point',
      text: `insert into telemetry_raw (device_id, ts, received, point)
        select u.id, u.ts, now(), decode(u.point, 'base64') from unnest($1::bigint[], $2::bigint[], $3::text[]) u(id, ts, point)`,
      values: [made.map(({ id }) => id), made.map(({ t }) => t), made.map(({ point }) => point.toString('base64'))],
    })
    await client.query('commit')
    stored += made.length
  }
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before.client)
  const limit = {
    rate: stored / took,
    client: (user + system) / stored,
    database: ((secondsUsed(pid) - before.database) * 1e6) / stored,
  }
  await client.end()
  return limit
}
