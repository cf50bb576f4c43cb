import { setTimeout as sleep } from 'node:timers/promises'
import { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { connectDevice, eventually, type TestDevice } from '../test/mqtt.ts'

let server: TestApp
let departmentId: number
const roles = ['api', 'gateway', 'worker'] as const

beforeAll(async () => {
  server = await startTestApp({ roles: [...roles] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
})
afterAll(() => server.stop())

const port = () => server.app.doors.device.port
const statuses = async () => {
  const { rows } = await sql<{ sn: string; status: string }>`select d.sn, s.iot_status as status
    from device_state s join device d on d.id = s.device_id order by d.sn`.execute(server.db)
  return Object.fromEntries(rows.map(({ sn, status }) => [sn, status]))
}
/** Until somebody answers again. */
const comeBack = async (device: { sn: string; password: string }): Promise<TestDevice> => {
  for (;;) {
    const line = await connectDevice({ port: port(), ...device }).catch(() => undefined)
    if (line?.code === 0) return line
    await sleep(100)
  }
}

it('loses nothing it acknowledged when its process is killed again and again while devices speak', async () => {
  const fleet = await Promise.all(
    Array.from({ length: 8 }, (_, at) => addDevice(server.db, { sn: `LEDGER-${at}`, departmentId })),
  )
  const ledger: { id: number; event: string }[] = []
  let going = true
  const speak = async (device: (typeof fleet)[number]) => {
    let line = await comeBack(device)
    for (let n = 0; going; n += 1) {
      const event = `${device.sn}-${n}`
      try {
        await Promise.race([
          line.publish(protocol.upTopic(device.sn, 'event'), { id: event, ts: Date.now(), type: 'count', data: { n } }),
          line.until(line.isClosed).then(() => Promise.reject(new Error('cut off'))),
        ])
        ledger.push({ id: device.id, event })
      } catch {
        line = await comeBack(device)
      }
    }
    line.goodbye()
  }
  const speaking = fleet.map(speak)
  for (const acknowledged of [50, 100, 150, 200]) {
    await eventually(
      async () => ledger.length,
      (length) => length >= acknowledged,
      30_000,
    )
    if (acknowledged < 200) process.kill(server.app.doors.device.gatewayPid as number, 'SIGKILL')
  }
  going = false
  await Promise.all(speaking)
  const { rows } = await sql<{ event: string }>`select event_id as event from device_event`.execute(server.db)
  const stored = new Set(rows.map((row) => row.event))
  expect(ledger.filter(({ event }) => !stored.has(event))).toEqual([])
}, 240_000)

it('knows within a minute who came back after it was killed and who did not', async () => {
  const stays = await addDevice(server.db, { sn: 'STAYS', departmentId })
  const leaves = await addDevice(server.db, { sn: 'LEAVES', departmentId })
  await connectDevice({ port: port(), ...stays })
  await connectDevice({ port: port(), ...leaves })
  await eventually(statuses, (all) => all.STAYS === 'online' && all.LEAVES === 'online')
  process.kill(server.app.doors.device.gatewayPid as number, 'SIGKILL')
  const line = await comeBack(stays)
  await eventually(statuses, (all) => all.LEAVES === 'offline' && all.STAYS === 'online', 60_000)
  const { rows } = await sql<{ reason: string }>`select disconnect_reason as reason from device_state
    where device_id = ${leaves.id}`.execute(server.db)
  expect(rows).toEqual([{ reason: 'serverRestart' }])
  line.goodbye()
}, 240_000)

/** Every connection is cut again and again, as by a restart of the database, save for the one that asks for it. */
const cutDatabase = () => {
  const cut = setInterval(
    () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid()`
        .execute(server.db)
        .catch(() => undefined),
    20,
  )
  return () => clearInterval(cut)
}

it('waits for a database that is away, stores what it held, and sends nobody away for it', async () => {
  const device = await addDevice(server.db, { sn: 'PATIENT', departmentId })
  const line = await connectDevice({ port: port(), ...device })
  await line.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.now() - 1, battery: 1 })
  const restore = cutDatabase()
  const acknowledged = line.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.now(), battery: 2 })
  await sleep(500)
  restore()
  await acknowledged
  // The last cut may still be under way and hit this very question.
  await eventually(
    async () =>
      (
        await sql<{ battery: number }>`select battery from device_state where device_id = ${device.id}`
          .execute(server.db)
          .catch(() => ({ rows: [] }))
      ).rows[0]?.battery,
    (battery) => battery === 2,
  )
  // The server listens to the database anew a second after it was cut off.
  await sleep(3_000)
  expect(line.isClosed()).toBe(false)
  line.goodbye()
})

it('ends the connection of a device that was revoked while the server did not hear the database', async () => {
  const [revoked, stays] = await Promise.all(
    ['UNHEARD', 'HEARD'].map((sn) => addDevice(server.db, { sn, departmentId })),
  )
  if (!revoked || !stays) throw new Error('no devices')
  const lines = await Promise.all([revoked, stays].map((each) => connectDevice({ port: port(), ...each, version: 5 })))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(server.db)
  await sql`update device set credential_hash = null where id = ${revoked.id}`.execute(server.db)
  const [out, in_] = lines
  await out?.until(() => out.received.some((each) => each.cmd === 'disconnect' && each.reasonCode === 0x98))
  expect(in_?.isClosed()).toBe(false)
  in_?.goodbye()
})

it('counts an outage against nobody: whoever knocked in vain is let in as soon as it is over', async () => {
  const fleet = await Promise.all(
    Array.from({ length: 120 }, (_, at) => addDevice(server.db, { sn: `OUTAGE-${at}`, departmentId })),
  )
  const knock = async (device: (typeof fleet)[number]) => {
    const line = await connectDevice({ port: port(), ...device, version: 5 }).catch(() => undefined)
    line?.vanish()
    return line?.code
  }
  const owner = new pg.Client(server.database.owner)
  await owner.connect()
  // A name that no query finds makes each look-up fail.
  await owner.query('alter table licence rename to licence_away')
  const refused = await Promise.all(fleet.map(knock))
  await owner.query('alter table licence_away rename to licence')
  await owner.end()
  expect(new Set(refused)).toEqual(new Set([0x88]))
  expect(await Promise.all(fleet.map(knock))).toEqual(fleet.map(() => 0))
})
