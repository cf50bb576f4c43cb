import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDb } from '../../platform/db.ts'
import { joinEmbedded } from '../../platform/postgres/index.ts'
import { loadSecrets } from '../../platform/secrets.ts'
import { createAnsweringDevice } from '../../test/answering-device.ts'
import { eventually } from '../../test/mqtt.ts'
import { startServer } from '../../test/server-process.ts'

/** Half again what the server takes at once, so that it dies in the middle of many; KILLED_DEVICES=10000 for a whole fleet. */
const size = Number(process.env.KILLED_DEVICES ?? 1_500)
const patienceMs = 180_000
const adminPassword = 'Killed-Test-Password-1'
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-killed-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
const call = async <T>(url: string, body: object, token = ''): Promise<T> => {
  const headers = { 'content-type': 'application/json', sessionid: token }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { code, data } = (await answer.json()) as { code: number; data: T }
  expect(code).toBe(100000)
  return data
}

it('has thousands of devices do a command once each, whatever is killed in the middle', async () => {
  const port = await freePort()
  const env = {
    CAMPANILE_MQTT_PORT: String(port),
    CAMPANILE_ADMIN_PASSWORD: adminPassword,
    CAMPANILE_CAPTCHA: 'off',
  }
  const start = () => startServer({ dataDir, env })
  let server = await start()
  const secrets = await loadSecrets(dataDir)
  const { db, close } = createDb(joinEmbedded(dataDir, secrets).app)
  const read = async <T>(query: ReturnType<typeof sql<T>>) =>
    (await query.execute(db).catch(() => ({ rows: [] as T[] }))).rows

  const given = Array.from({ length: size }, (_, at) => ({
    sn: `MANY-${at}`,
    password: randomBytes(24).toString('base64url'),
  }))
  const hashes = given.map(({ password }) => createHash('sha256').update(password).digest('base64'))
  await sql`with made as (insert into device (sn, department_id, device_type, batch_number, credential_hash)
      select g.sn, (select id from department where parent_id is null), 2, 'many', decode(g.hash, 'base64')
      from unnest(${given.map(({ sn }) => sn)}::text[], ${hashes}::text[]) g(sn, hash) returning id)
    insert into device_state (device_id) select id from made on conflict do nothing`.execute(db)
  const fleet = given.map((each) => createAnsweringDevice({ ...each, port }))
  try {
    for (const [at, device] of fleet.entries()) {
      device.open()
      if (at % 200 === 0) await sleep(100)
    }
    const listening = async () => fleet.filter((device) => device.isListening()).length
    await eventually(listening, (count) => count === size, patienceMs)

    const { token } = await call<{ token: string }>(`${server.address}/api/v1/login`, {
      username: 'admin',
      password: adminPassword,
    })
    const { id } = await call<{ id: number }>(
      `${server.address}/api/v3/device/task/create`,
      { command: 'reboot', sns: given.map(({ sn }) => sn) },
      token,
    )
    const answered = async () => fleet.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    const before = await eventually(answered, (count) => count > size / 5, patienceMs)
    await server.end('SIGKILL')
    const known = fleet.map(({ acknowledged, told }) => ({ acknowledged: new Set(acknowledged), told: told.length }))
    expect(before).toBeLessThan(size)
    server = await start()

    const states = await eventually(
      () =>
        read(sql<{ state: string; n: number }>`select state, count(*)::int as n from command where task_id = ${id}
          group by 1`),
      (rows) => rows.some(({ state, n }) => state === 'done' && n === size),
      patienceMs,
    )
    expect(states).toEqual([{ state: 'done', n: size }])
    const [task] = await read(sql`select total, succeeded, failed, waiting, progress from device_task where id = ${id}`)
    expect(task).toEqual({ total: size, succeeded: size, failed: 0, waiting: 0, progress: 'success' })
    // One id each, done once; and what had been acknowledged was never asked for again.
    expect(fleet.filter(({ done }) => done.size !== 1).map(({ sn }) => sn)).toEqual([])
    const askedAgain = fleet.filter(({ told }, at) => {
      const then = known[at]
      return then && told.slice(then.told).some((each) => then.acknowledged.has(each))
    })
    expect(askedAgain.map(({ sn }) => sn)).toEqual([])
  } finally {
    for (const device of fleet) device.close()
    await close()
  }
}, 600_000)
