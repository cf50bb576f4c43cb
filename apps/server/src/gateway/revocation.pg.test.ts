import { createTask, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endExpired } from '../domains/licence/licence.store.ts'
import { addDepartment, addUser, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice, addDevices } from '../test/devices.ts'
import { connectDevice, eventually, type TestDevice } from '../test/mqtt.ts'

let server: TestApp
let token: string
let alder: number
let alderShop: number
let birch: number
let made = 0

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  const root = await addDepartment(server.db, { name: 'Root' })
  alder = await addDepartment(server.db, { name: 'Alder', parentId: root, type: 1 })
  alderShop = await addDepartment(server.db, { name: 'Alder shop', parentId: alder, type: 0 })
  birch = await addDepartment(server.db, { name: 'Birch', parentId: root, type: 1 })
  await addUser(server.db, { username: 'root', departmentId: root, type: 0 })
  token = (await server.signIn('root')).token
})
afterAll(() => server.stop())

const connect = (device: { sn: string; password: string }) =>
  connectDevice({ port: server.app.doors.device.port, ...device, version: 5 })
const online = async () => {
  const device = await addDevice(server.db, { sn: `REVOKE-${++made}`, departmentId: alder })
  const line = await connect(device)
  expect(line.code).toBe(0)
  return { device, line }
}
/** Shown the door by us, and with the reason of its kind. */
const kicked = (line: TestDevice) =>
  line.until(() => line.received.some((each) => each.cmd === 'disconnect' && each.reasonCode === 0x98))
const transfer = (sn: string, departmentId: number) =>
  server.request('POST', '/api/v3/device/basic/transferBatch', { sns: [sn], departmentId }, { token })

describe('a connection ends at once, and the old credential with it,', () => {
  it('when the device goes to another organisation', async () => {
    const { device, line } = await online()
    expect((await transfer(device.sn, birch)).code).toBe(100000)
    await kicked(line)
    expect((await connect(device)).code).toBe(0x87)
  })

  it('when the device was wiped', async () => {
    const { device, line } = await online()
    await line.subscribe(protocol.commandTopic(device.sn))
    const wipe = { command: 'wipe' as const, args: {}, sns: [device.sn] }
    expect((await server.call(createTask, wipe, { token })).code).toBe(100000)
    const packet = await line.until(() => line.received.find((each) => each.cmd === 'publish'))
    const { id } = JSON.parse(String((packet as { payload: Buffer }).payload)) as protocol.CommandMessage
    void line.publish(protocol.upTopic(device.sn, 'reply'), { id, state: 'done' }).catch(() => undefined)
    await kicked(line)
    expect((await connect(device)).code).toBe(0x87)
  })

  it('when the device is deleted', async () => {
    const { device, line } = await online()
    const removed = await server.request('DELETE', '/api/v3/device/basic/delete', { ids: [device.id] }, { token })
    expect(removed.code).toBe(100000)
    await kicked(line)
    expect((await connect(device)).code).toBe(0x87)
  })

  it('also when it is deleted while something it said is being written', async () => {
    const { device, line } = await online()
    const id = device.id
    const removing = await server.db.transaction().execute(async (tx) => {
      await sql`update device_state set last_seen = now() where device_id = ${id}`.execute(tx)
      const removed = server.request('DELETE', '/api/v3/device/basic/delete', { ids: [id] }, { token })
      const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock'`
      await eventually(
        async () => (await waiting.execute(server.db)).rows.length,
        (held) => held > 0,
      )
      await sql`insert into presence_log (device_id, time, online) values (${id}, now(), true)`.execute(tx)
      return { removed }
    })
    expect((await removing.removed).code).toBe(100000)
    await kicked(line)
  })

  it('when the device joined anew with another code', async () => {
    const { device, line } = await online()
    await sql`insert into activation_code (sn, activation_code, department_id) values (${device.sn}, 'again', ${alder})`.execute(
      server.db,
    )
    const joined = await server.request('POST', '/device/v1/activate', { sn: device.sn, code: 'again' })
    await kicked(line)
    expect((await connect(device)).code).toBe(0x87)
    expect((await connect({ sn: device.sn, password: String(joined.data.password) })).code).toBe(0)
    // The code was used; a second device that found it is nobody.
    const used = await server.request('POST', '/device/v1/activate', { sn: device.sn, code: 'again' })
    expect(used.code).toBe(204032)
  })
})

describe('where an organisation wants licences, a connection ends at once', () => {
  const licensed = async () => {
    const strict = await addDepartment(server.db, { name: `Strict ${++made}`, parentId: alder, type: 0 })
    const device = await addDevice(server.db, { sn: `REVOKE-${++made}`, departmentId: strict })
    const { rows } = await sql<{ id: number }>`insert into licence (kind, device_id, start_date, expiry)
      values ('iot', ${device.id}, current_date, current_date) returning id`.execute(server.db)
    return { strict, device, licence: rows[0]?.id as number }
  }

  it('when the licence is taken away, switched off or has run out', async () => {
    for (const change of [sql`revoked = true`, sql`enabled = false`, sql`expiry = current_date - 1`]) {
      const { strict, device, licence } = await licensed()
      await sql`update department set licence_required = true where id = ${strict}`.execute(server.db)
      const line = await connect(device)
      expect(line.code).toBe(0)
      await sql`update licence set ${change} where id = ${licence}`.execute(server.db)
      await kicked(line)
      expect((await connect(device)).code).toBe(0x87)
    }
  })

  it('when the last day of the licence is over, although nothing is written then', async () => {
    const { strict, device, licence } = await licensed()
    await sql`update department set licence_required = true where id = ${strict}`.execute(server.db)
    const line = await connect(device)
    const shown = sql`select from device_state where device_id = ${device.id} and iot_status <> 'offline'`
    await eventually(
      async () => (await shown.execute(server.db)).rows.length,
      (count) => count === 1,
    )
    // As it stands after midnight: nobody was told.
    const owner = new pg.Client(server.database.owner)
    await owner.connect()
    await owner.query('alter table licence disable trigger licence_access_updated')
    await owner.query('update licence set expiry = current_date - 1 where id = $1', [licence])
    await owner.query('alter table licence enable trigger licence_access_updated')
    await owner.end()
    expect(line.isClosed()).toBe(false)
    await endExpired(server.db)
    await kicked(line)
  })

  it('but not when it only wants device keys', async () => {
    const { strict } = await licensed()
    const bare = await addDevice(server.db, { sn: `REVOKE-${++made}`, departmentId: strict })
    await sql`update department set device_key_status = true where id = ${strict}`.execute(server.db)
    const line = await connect(bare)
    expect(line.code).toBe(0)
    line.goodbye()
  })

  it('when the organisation begins to want them, but not of a device that has one', async () => {
    const { strict, device } = await licensed()
    const bare = await addDevice(server.db, { sn: `REVOKE-${++made}`, departmentId: strict })
    const [has, lacks] = [await connect(device), await connect(bare)]
    await sql`update department set licence_required = true where id = ${strict}`.execute(server.db)
    await kicked(lacks)
    expect(has.isClosed()).toBe(false)
    has.goodbye()
  })
})

it('a move within the organisation lets the device come straight back', async () => {
  const { device, line } = await online()
  expect((await transfer(device.sn, alderShop)).code).toBe(100000)
  await kicked(line)
  expect((await connect(device)).code).toBe(0)
})

it('two thousand devices that change hands are let go together', async () => {
  const { line } = await online()
  const many = Array.from({ length: 2_000 }, (_, at) => `MANY-${at}`)
  await addDevices(server.db, many, { departmentId: alder, password: 'of all' })
  await sql`update device set credential_hash = null, credential_version = credential_version + 1`.execute(server.db)
  await kicked(line)
  await eventually(
    async () => (await sql`select 1 from device_state where iot_status = 'online'`.execute(server.db)).rows.length,
    (left) => left === 0,
  )
})
