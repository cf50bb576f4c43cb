import { deviceDetail, deviceTimeline, protocol, type RefusedConnection, refusedConnections } from '@campanile/contract'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RefusedAttempt } from '../../gateway/wire.ts'
import { addDepartment, addUser, startTestApp, type TestApp } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { connectDevice, eventually } from '../../test/mqtt.ts'
import { createRefusals } from './refusals.ts'
import { trimRefusals } from './refused.store.ts'

let server: TestApp
let token: string
let departmentId: number

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  await addUser(server.db, { username: 'root', departmentId, type: 0 })
  token = (await server.signIn('root')).token
})
afterAll(() => server.stop())

const listed = async (): Promise<RefusedConnection[]> =>
  (await server.call(refusedConnections, {}, { token })).data.rows as RefusedConnection[]
const total = async () => {
  const { rows } = await sql<{
    rows: number
    count: number
  }>`select count(*) as rows, coalesce(sum(count), 0)::bigint as count
    from refused_connection`.execute(server.db)
  return rows[0] as { rows: number; count: number }
}
const many = (length: number, make: (n: number) => Partial<RefusedAttempt>): RefusedAttempt[] =>
  Array.from({ length }, (_, n) => ({ sn: '', address: '10.6.6.6', reason: 'unknownDevice', ...make(n) }))

it('tells of the same attempt once, with how often and since when', async () => {
  const device = await addDevice(server.db, { sn: 'KNOCKS', departmentId })
  const port = server.app.doors.device.port
  const knock = () => connectDevice({ port, sn: device.sn, password: 'wrong' })
  await knock()
  await eventually(listed, (rows) => rows.length === 1)
  for (let n = 0; n < 4; n += 1) await knock()
  const [row] = await eventually(listed, (rows) => rows[0]?.count === 5)
  expect(row).toMatchObject({ sn: 'KNOCKS', address: '127.0.0.1', reason: 'wrongPassword' })
  expect(Date.parse(row?.firstTime ?? '')).toBeLessThan(Date.parse(row?.time ?? ''))
  expect(await listed()).toHaveLength(1)
})

it('says which part of a message was refused and why, in the list and on the device’s page, and never the value', async () => {
  const { sn, password } = await addDevice(server.db, { sn: 'WRONG', departmentId })
  const device = await connectDevice({ port: server.app.doors.device.port, sn, password })
  const said = [
    [
      'invalidValue',
      1,
      { battery: 'hunter2' },
      { kind: 'state', field: 'battery', fault: 'wrongKind', expected: 'number' },
    ],
    ['invalidValue', 2, { battery: 250 }, { kind: 'state', field: 'battery', fault: 'tooLarge', expected: '100' }],
    ['malformed', 1, '{"pin": hunter2}', { kind: 'state', fault: 'noJson' }],
  ] as const
  for (const [reason, count, body, message] of said) {
    await device.publish(protocol.upTopic(sn, 'state'), body)
    // The newest stands: it is what the device's maker is looking for.
    const found = (row: RefusedConnection) => row.sn === sn && row.reason === reason
    const rows = await eventually(listed, (all) => all.some((row) => found(row) && row.count === count))
    expect(rows.find(found)).toMatchObject({ message })
  }
  const page = await server.call(deviceTimeline, { sn }, { token })
  expect(page.data.rows).toContainEqual(
    expect.objectContaining({ kind: 'refused', data: expect.objectContaining({ message: said[2][3] }) }),
  )
  expect(JSON.stringify([await listed(), page])).not.toContain('hunter2')
  device.vanish()
})

it('says on the page of a device that is connected that what it sends is refused', async () => {
  const device = await addDevice(server.db, { sn: 'ODD-CLOCK', departmentId })
  const line = await connectDevice({ port: server.app.doors.device.port, sn: device.sn, password: device.password })
  const detail = async () => (await server.call(deviceDetail, { sn: 'ODD-CLOCK' }, { token })).data
  expect(await detail()).toMatchObject({ refused: null })
  const publish = () => line.publish('v1/ODD-CLOCK/up/state', { ts: Date.now() + 5 * 3_600_000, cpu: 7 })
  await publish()
  await publish()
  await eventually(detail, ({ refused }) => refused !== null && (refused as { count: number }).count === 2)
  expect(await detail()).toMatchObject({ refused: { reason: 'clockAhead', count: 2 } })
  await sql`update refused_connection set time = time - interval '1 hour' where sn = 'ODD-CLOCK'`.execute(server.db)
  expect(await detail()).toMatchObject({ refused: null })
  await sql`delete from refused_connection where sn = 'ODD-CLOCK'`.execute(server.db)
  line.goodbye()
})

it('counts a flood of ever new serial numbers and addresses together, and forgets nothing of a registered device for it', async () => {
  await addDevice(server.db, { sn: 'TARGET', departmentId })
  const before = await total()
  const refusals = createRefusals({ db: server.db, log: pino({ level: 'silent' }) })
  refusals.add(many(3_000, (n) => ({ sn: `RANDOM-${n}` })))
  refusals.add(many(200, (n) => ({ sn: 'TARGET', address: `10.1.${n >> 8}.${n & 255}`, reason: 'wrongPassword' })))
  await eventually(total, ({ count }) => count === before.count + 3_200)
  await eventually(total, ({ rows }) => rows < 200)
  const rows = await listed()
  expect(rows).toContainEqual(expect.objectContaining({ sn: 'KNOCKS', count: 5 }))
  expect(rows.filter(({ sn }) => sn?.startsWith('RANDOM'))).toHaveLength(100)
  expect(rows).toContainEqual(expect.objectContaining({ sn: null, address: '10.6.6.6', count: 2_900 }))
  expect(rows.filter(({ sn }) => sn === 'TARGET')).toHaveLength(21)
  expect(rows).toContainEqual(expect.objectContaining({ sn: 'TARGET', address: null, count: 180 }))
  refusals.stop()
})

it('keeps no more than ten thousand rows, those of registered devices longest', async () => {
  await sql`insert into refused_connection (sn, address, reason, time)
    select 'FAR-' || n, '10.' || n % 200 || '.' || n / 200 || '.1', 'unknownDevice', now() + interval '1 minute'
    from generate_series(1, 12000) n`.execute(server.db)
  await trimRefusals(server.db)
  expect(await total()).toMatchObject({ rows: 10_000 })
  const { rows } = await sql`select count from refused_connection where sn = 'KNOCKS'`.execute(server.db)
  expect(rows).toEqual([{ count: 5 }])
})

it('counts ever new addresses of one IPv6 network together', async () => {
  await sql`delete from refused_connection`.execute(server.db)
  await sql`insert into refused_connection (sn, address, reason, time)
    select 'SIX-' || n, '2001:db8:1:2::' || to_hex(n), 'unknownDevice', now() from generate_series(1, 500) n`.execute(
    server.db,
  )
  await trimRefusals(server.db)
  await trimRefusals(server.db)
  expect(await total()).toEqual({ rows: 101, count: 500 })
  expect(await listed()).toContainEqual(expect.objectContaining({ sn: null, address: '2001:db8:1:2::/64', count: 400 }))
})
