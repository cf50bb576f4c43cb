import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDb, type Db } from '../platform/db.ts'
import { connectEmbedded } from '../platform/postgres/embedded.ts'
import { loadSecrets } from '../platform/secrets.ts'
import { addDevice, addDevices } from '../test/devices.ts'
import { connectDevice, eventually, type TestDevice } from '../test/mqtt.ts'
import { type ServerProcess, startServer } from '../test/server-process.ts'

/** The product as customers run it, a disk that is waited for, and devices that keep their own books. */
const speakers = 12
const targets = 4_000
const adminPassword = 'Crash-Test-Password-1'
let dataDir: string
let port: number
let server: ServerProcess
let db: Db
let closeDb: () => Promise<void>

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
const start = () =>
  startServer({
    dataDir,
    env: { CAMPANILE_MQTT_PORT: String(port), CAMPANILE_ADMIN_PASSWORD: adminPassword, CAMPANILE_CAPTCHA: 'off' },
  })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-crash-'))
  port = await freePort()
})
afterAll(async () => {
  await closeDb?.()
  await rm(dataDir, { recursive: true, force: true })
})

const killServer = async () => {
  await server.end('SIGKILL')
  server = await start()
}
const killDatabase = async () => {
  const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  process.kill(postmaster, 'SIGKILL')
}
const killGateway = async () => {
  const children = await readFile(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8')
  for (const pid of children.trim().split(' ')) {
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('gateway/main.js'))
      process.kill(Number(pid), 'SIGKILL')
  }
}

/** A device that reports again and again and answers every command, remembering the ids it was given. */
const live = (device: { id: number; sn: string; password: string }) => {
  const acknowledged: string[] = []
  const told = new Set<string>()
  let going = true
  let line: TestDevice | undefined
  const comeBack = async () => {
    while (going) {
      line = await connectDevice({ port, ...device }).catch(() => undefined)
      if (line?.code === 0) return line.subscribe(protocol.commandTopic(device.sn)).then(() => line as TestDevice)
      await sleep(100)
    }
    return undefined
  }
  const obey = async (at: TestDevice) => {
    for (let read = 0; going && !at.isClosed(); await sleep(20)) {
      for (; read < at.received.length; read += 1) {
        const packet = at.received[read]
        if (packet?.cmd !== 'publish') continue
        if (packet.messageId) at.send({ cmd: 'puback', messageId: packet.messageId })
        const { id } = JSON.parse(String(packet.payload)) as protocol.CommandMessage
        told.add(id)
        void at.publish(protocol.upTopic(device.sn, 'reply'), { id, state: 'done' }).catch(() => undefined)
      }
    }
  }
  const report = async (at: TestDevice) => {
    const id = `${device.sn}-${acknowledged.length}`
    const cut = at.until(at.isClosed, 60_000).then(() => Promise.reject(new Error('cut off')))
    cut.catch(() => undefined)
    const event = { id, ts: Date.now(), type: 'doorChanged', data: { what: 'opened' } }
    await Promise.race([at.publish(protocol.upTopic(device.sn, 'event'), event), cut])
    acknowledged.push(id)
  }
  const ended = (async () => {
    for (let at = await comeBack(); at; at = await comeBack()) {
      void obey(at).catch(() => undefined)
      while (going && !at.isClosed()) {
        await report(at).catch(() => undefined)
        // Some are always in the middle of a report, and there is time for those who kill and those who start again.
        await sleep(10)
      }
      at.vanish()
    }
  })()
  return {
    device,
    acknowledged,
    told,
    stop: () => {
      going = false
      return ended
    },
  }
}

it('loses nothing acknowledged and does nothing twice when server, gateway and database are killed in turn', async () => {
  server = await start()
  const secrets = await loadSecrets(dataDir)
  const { app } = connectEmbedded(dataDir, secrets.database)
  ;({ db, close: closeDb } = createDb(app))
  const { rows } = await sql<{ id: number }>`select id from department where parent_id is null`.execute(db)
  const departmentId = rows[0]?.id as number
  const asleep = Array.from({ length: targets - speakers - 1 }, (_, at) => `ASLEEP-${at}`)
  await addDevices(db, asleep, { departmentId })
  const leaver = await addDevice(db, { sn: 'LEAVER', departmentId })
  const fleet = await Promise.all(
    Array.from({ length: speakers }, async (_, at) => live(await addDevice(db, { sn: `AWAKE-${at}`, departmentId }))),
  )
  const leaving = await connectDevice({ port, ...leaver })
  const total = () => fleet.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  const more = async (count: number) => {
    const from = total()
    await eventually(
      async () => total(),
      (now) => now >= from + count,
      60_000,
    )
  }
  const read = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(db)).rows

  await more(100)
  const { token } = await post<{ token: string }>('/api/v1/login', { username: 'admin', password: adminPassword })
  const { total: devices } = await get<{ total: number }>('/api/v3/device/basic/list?pageSize=1', token)
  expect(devices).toBe(targets)
  const order = { command: 'message', args: { title: 't', text: 'x' }, filter: {} }
  const { id: taskId } = await post<{ id: number }>('/api/v3/device/task/create', order, token)
  await killDatabase()
  await more(100)
  await killGateway()
  await more(100)
  leaving.vanish()
  await killServer()
  const backAt = Date.now()
  await more(100)

  // Every command reached its device under one id only, and is done; whoever sleeps still has it waiting.
  const states = await eventually(
    () =>
      read(sql<{ state: string; n: number }>`select state, count(*) as n from command where task_id = ${taskId}
        group by 1 order by 1`).catch(() => []),
    (found) => found.some(({ state, n }) => state === 'done' && n === speakers),
    60_000,
  )
  expect(states).toEqual([
    { state: 'done', n: speakers },
    { state: 'queued', n: targets - speakers },
  ])
  expect(fleet.map(({ told }) => told.size)).toEqual(fleet.map(() => 1))
  const tasks = await read(sql`select total, succeeded, failed, waiting from device_task where id = ${taskId}`)
  expect(tasks).toEqual([{ total: targets, succeeded: speakers, failed: 0, waiting: targets - speakers }])

  const presence = await eventually(
    () =>
      read(sql<{ online: number; leaver: string }>`select count(*) filter (where iot_status <> 'offline') as online,
        max(iot_status) filter (where device_id = ${leaver.id}) as leaver from device_state`).catch(() => []),
    (found) => found[0]?.online === speakers && found[0].leaver === 'offline',
    60_000 - (Date.now() - backAt),
  )
  expect(presence).toHaveLength(1)

  await Promise.all(fleet.map(({ stop }) => stop()))
  const events = await read(sql<{ id: string }>`select event_id as id from device_event`)
  const stored = new Set(events.map(({ id }) => id))
  expect(fleet.flatMap(({ acknowledged }) => acknowledged.filter((id) => !stored.has(id)))).toEqual([])
  expect(stored.size).toBe(events.length)
  // And the room that takes them has each once, in the order of its device.
  const taken = await read(
    sql<{ sn: string; id: string }>`select sn, event_id as id from door_record order by door_record.id`,
  )
  expect(taken.map(({ id }) => id).sort()).toEqual([...stored].sort())
  const turn = (id: string) => Number(id.split('-').at(-1))
  for (const { device } of fleet) {
    const turns = taken.filter(({ sn }) => sn === device.sn).map(({ id }) => turn(id))
    expect(turns).toEqual([...turns].sort((a, b) => a - b))
  }
}, 240_000)

const call = async <T>(method: string, path: string, body: object | undefined, token?: string): Promise<T> => {
  const answer = await fetch(`${server.address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { sessionid: token } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, data, message } = (await answer.json()) as { code: number; data: T; message: string }
  if (code !== 100000) throw new Error(`${code} ${message}`)
  return data
}
const post = <T>(path: string, body: object, token?: string) => call<T>('POST', path, body, token)
const get = <T>(path: string, token: string) => call<T>('GET', path, undefined, token)
