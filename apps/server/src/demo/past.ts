import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { appTraffic, type EventData, type protocol } from '@campanile/contract'
import { sql } from 'kysely'
import {
  appendEvents,
  appendPresence,
  countAppTraffic,
  kept,
  type Latest,
  merge,
  packPoints,
  periods,
  pointOf,
  prepare,
  writeHellos,
  writePresence,
  writeStates,
} from '../domains/device/index.ts'
import type { Db } from '../platform/db.ts'
import { type Planned, plan } from './fleet-plan.ts'
import { simulatorScript, smallHeap } from './simulator.ts'

const dayMs = 86_400_000
const days = 30
/** Devices written together: enough for few statements, little enough for a small heap. */
const together = 10
/** They go when the server that was there before us did. */
const restartMs = 60_000

/** What the simulator tells of a device with `--past`. */
interface Past {
  readonly sn: string
  readonly hello: protocol.Hello
  readonly spans: readonly { from: number; to: number; reason: 'clean' | 'lost' | 'keepalive' | 'serverRestart' }[]
  readonly points: readonly ({ ts: number } & Record<string, unknown>)[]
  readonly last?: { ts: number } & Record<string, unknown>
  readonly events: readonly protocol.DeviceEvent[]
}
type Known = Past & { readonly id: number; readonly departmentId: number }

/** The simulator's word on what these devices would have done, one after the other. */
async function* tellPast(devices: readonly Planned[], now: number) {
  const child = spawn(process.execPath, [...smallHeap, simulatorScript, '--past', '--credentials', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  })
  child.stdin.on('error', () => undefined)
  for (const { sn, type, model, age, goneDays } of devices) {
    const from = Math.max(now - days * dayMs, now - age * dayMs)
    const to = goneDays === undefined ? now - restartMs : now - goneDays * dayMs
    child.stdin.write(`${JSON.stringify({ sn, type, model, from, to })}\n`)
  }
  child.stdin.end('\n')
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Past
}

const iso = (ms: number) => new Date(ms).toISOString()

/** By the functions that write what really comes in. */
const store = async (tx: Db, pasts: readonly Known[], now: number) => {
  await writeHellos(
    tx,
    pasts.map(({ id, hello, spans }) => ({ id, hello, seen: iso(spans.at(-1)?.to ?? now) })),
  )
  await writeStates(
    tx,
    pasts.flatMap(({ id, last }) => {
      if (!last) return []
      const values: Latest = {}
      merge(values, last)
      return { id, values, seen: last.ts }
    }),
  )
  await packPoints(
    tx,
    pasts.map(({ id, points }) => ({ deviceId: id, points: points.flatMap((point) => pointOf(point) ?? []) })),
    now - kept.points,
  )
  await appendEvents(
    tx,
    pasts.flatMap(({ id, events }) =>
      events.map((event) => ({ id, received: iso(event.ts), event: { ...event, level: event.level ?? 'info' } })),
    ),
  )
  await countAppTraffic(
    tx,
    pasts.flatMap(({ id: deviceId, departmentId, events }) =>
      events
        .filter(({ type }) => type === appTraffic.type)
        .map(({ ts, data }) => ({
          deviceId,
          departmentId,
          time: iso(ts),
          serverTime: false,
          data: data as EventData<typeof appTraffic>,
        })),
    ),
  )
  const base = { address: '127.0.0.1', detail: null }
  await appendPresence(
    tx,
    pasts.flatMap(({ id: deviceId, spans }) =>
      spans.flatMap(({ from, to, reason }) => [
        { deviceId, at: from, online: true, reason: null, ...base },
        { deviceId, at: to, online: false, reason, ...base, address: null },
      ]),
    ),
  )
  await writePresence(
    tx,
    pasts.flatMap(({ id, spans }) => {
      const last = spans.at(-1)
      if (!last) return []
      const { from: connectedAt, to: disconnectedAt, reason } = last
      return {
        deviceId: id,
        status: 'offline' as const,
        connectedAt,
        disconnectedAt,
        reason,
        address: '127.0.0.1',
        keepalive: 60,
      }
    }),
  )
}

/** Who was there in each hour, day, week … of the past, from when they came and went. */
const countPast = async (tx: Db, ids: readonly number[]) => {
  for (const { type, unit } of periods) {
    const of = (time: ReturnType<typeof sql>) => sql`date_trunc(${sql.lit(unit)}, ${time})`
    const step = sql`${sql.lit(unit === 'quarter' ? '3 months' : `1 ${unit}`)}::interval`
    await sql`with there as (
        select distinct w.device_id, hour from (
          select p.device_id, p.time as came, lead(p.time) over (partition by p.device_id order by p.time) as went, p.online
          from presence_log p where p.device_id = any(${ids})) w
        cross join generate_series(${of(sql`w.came`)}, w.went, ${step}) hour where w.online),
      active as (select d.department_id, t.hour, count(*) as n from there t join device d on d.id = t.device_id group by 1, 2)
      insert into device_activity (period, start, department_id, active, total, distributed)
      select ${type}, h.hour, d.department_id, coalesce(max(a.n), 0), count(*),
        count(*) filter (where d.activation_status <> 0)
      from (select distinct hour from there) h
        join device d on d.create_time < h.hour + ${step}
        left join active a on a.department_id = d.department_id and a.hour = h.hour
      group by h.hour, d.department_id
      on conflict do nothing`.execute(tx)
  }
}

/** Thirty days that were not: so that the charts of a new demonstration have something to show. Once, all of it or nothing. */
export const rememberPast = (db: Db): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const tx = transaction as Db
    const devices = plan.filter(({ boxed }) => !boxed)
    const { rows } = await sql<{
      id: number
      sn: string
      departmentId: number
      new: boolean
    }>`select t.id, t.sn, t.department_id as "departmentId", s.last_seen is null as new
      from device t join device_state s on s.device_id = t.id where t.sn = any(${devices.map(({ sn }) => sn)})`.execute(
      tx,
    )
    if (rows.length === 0 || rows.some((row) => !row.new) || !existsSync(simulatorScript)) return
    const known = new Map(rows.map(({ id, sn, departmentId }) => [sn, { id, departmentId }]))
    const now = Date.now()
    for (let day = 0; day <= days; day += 1) await prepare(tx, new Date(now - day * dayMs))
    let batch: Known[] = []
    for await (const past of tellPast(
      devices.filter(({ sn }) => known.has(sn)),
      now,
    )) {
      batch.push({ ...past, ...(known.get(past.sn) as Pick<Known, 'id' | 'departmentId'>) })
      if (batch.length < together) continue
      await store(tx, batch, now)
      batch = []
    }
    if (batch.length > 0) await store(tx, batch, now)
    await countPast(
      tx,
      rows.map(({ id }) => id),
    )
  })
