import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDb } from '../../platform/db.ts'
import { joinEmbedded } from '../../platform/postgres/index.ts'
import { loadSecrets } from '../../platform/secrets.ts'
import { createAnsweringDevice } from '../../test/answering-device.ts'
import { eventually } from '../../test/mqtt.ts'
import { startServer } from '../../test/server-process.ts'

/** KILLED_DEVICES=10000 and KILLS=50 for a whole fleet and a bad day. What a kill in each step does is died.pg.test.ts. */
const size = Number(process.env.KILLED_DEVICES ?? 100)
const kills = Number(process.env.KILLS ?? 1)
/** A small fleet is quick, so that the server is killed while it works and not while everybody waits. */
const slowness = size > 1_000 ? 1 : 0.1
const patienceMs = 240_000 + size * 60
const adminPassword = 'Killed-Test-Password-1'
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-released-'))
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

it(
  'brings a release to its end on every device once, however often the server is killed in the middle',
  async () => {
    const port = await freePort()
    const env = { CAMPANILE_MQTT_PORT: String(port), CAMPANILE_ADMIN_PASSWORD: adminPassword, CAMPANILE_CAPTCHA: 'off' }
    const start = () => startServer({ dataDir, env })
    let server = await start()
    const { db, close } = createDb(joinEmbedded(dataDir, await loadSecrets(dataDir)).app)
    const read = async <T>(query: ReturnType<typeof sql<T>>) =>
      (await query.execute(db).catch(() => ({ rows: [] as T[] }))).rows

    const given = Array.from({ length: size }, (_, at) => ({
      sn: `KILL-${at}`,
      password: randomBytes(24).toString('base64url'),
    }))
    const hashes = given.map(({ password }) => createHash('sha256').update(password).digest('base64'))
    const [root] = await read(sql<{ id: number }>`select id from department where parent_id is null`)
    await sql`insert into device (sn, department_id, device_type, batch_number, credential_hash)
      select g.sn, ${root?.id}, 2, 'many', decode(g.hash, 'base64')
      from unnest(${given.map(({ sn }) => sn)}::text[], ${hashes}::text[]) g(sn, hash)`.execute(db)
    const fleet = given.map((each) => createAnsweringDevice({ ...each, port, slowness }))
    try {
      for (const device of fleet) device.open()
      await eventually(
        async () => fleet.filter((device) => device.isListening()).length,
        (count) => count === size,
        patienceMs,
      )
      const { token } = await call<{ token: string }>(`${server.address}/api/v1/login`, {
        username: 'admin',
        password: adminPassword,
      })
      const text = await call<{ id: number }>(
        `${server.address}/api/v3/device/promotion/create`,
        { title: 'Sale', text: 'Sale', validUntil: '2999-01-01T00:00:00Z', departmentId: root?.id },
        token,
      )
      const { id } = await call<{ id: number }>(
        `${server.address}/api/v3/release/create`,
        {
          kind: 'promotion',
          itemId: text.id,
          targets: [{ sns: given.map(({ sn }) => sn) }],
          mode: 'offline',
          options: { waves: [{ devices: 1 }, { percent: 30 }, { percent: 100 }], bakeMinutes: 0 },
        },
        token,
      )
      for (let killed = 1; killed <= kills; killed++) {
        const part = (killed * size) / (kills + 2)
        await eventually(
          async () => fleet.filter(({ told }) => told.length > 0).length,
          (count) => count > part,
          patienceMs,
        )
        await server.end('SIGKILL')
        server = await start()
      }
      const [release] = await eventually(
        () =>
          read(sql<{ state: string }>`select state, progress, total, told, succeeded, failed, published, cancelled
          from release where id = ${id}`),
        ([row]) => row?.state === 'ended',
        patienceMs,
      )
      expect(release).toEqual({
        state: 'ended',
        progress: 'success',
        total: size,
        told: size,
        succeeded: size,
        failed: 0,
        published: 0,
        cancelled: 0,
      })
      // One command each, done once; and each step was written down once.
      expect(fleet.filter(({ done }) => done.size !== 1).map(({ sn }) => sn)).toEqual([])
      const [commands] = await read(
        sql`select count(*)::int as commands, count(distinct c.device_id)::int as devices from command c
        join device_task k on k.id = c.task_id where k.origin_kind = 'release' and k.origin_id = ${id}`,
      )
      expect(commands).toEqual({ commands: size, devices: size })
      const steps = await read(
        sql<{
          what: string
          n: number
        }>`select what, count(*)::int as n from release_step where release_id = ${id} group by 1`,
      )
      expect(Object.fromEntries(steps.map(({ what, n }) => [what, n]))).toEqual({
        created: 1,
        begun: 1,
        waveBegun: 3,
        waveEnded: 3,
        told: size,
        succeeded: size,
        ended: 1,
      })
    } finally {
      for (const device of fleet) device.close()
      await close()
    }
  },
  900_000 + kills * 120_000,
)
