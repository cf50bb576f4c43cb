import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepTelemetry } from '../domains/device/telemetry/packing.ts'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { fuzzGateway } from '../test/fuzz-devices.ts'
import { connectDevice } from '../test/mqtt.ts'

const messages = 4_000
const speakers = 8
const seed = Number(process.env.FUZZ_SEED ?? 1)
let server: TestApp
let departmentId: number

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
})
afterAll(() => server.stop())

it(`keeps every message in order among ${messages} of any kind, and answers each (FUZZ_SEED=${seed})`, async () => {
  const { device: devices } = server.app.doors
  const gatewayPid = devices.gatewayPid
  const add = (sn: string) => addDevice(server.db, { sn, departmentId })
  const fleet = await Promise.all(Array.from({ length: speakers }, (_, n) => add(`FUZZ-${n}`)))
  const outcome = await fuzzGateway(devices.port, fleet, await add('FUZZ-WILD'), { messages, seed })
  expect(outcome).toMatchObject({ sent: messages, wrong: [] })
  expect(outcome.stored).toBeGreaterThan(messages / 4)
  expect(outcome.refused).toBeGreaterThan(messages / 10)
  for (const { id, sn } of fleet) {
    const { rows } = await sql<{ id: string }>`select event_id as id from device_event
      where device_id = ${id} and type = 'neighbour'`.execute(server.db)
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(outcome.neighbours.get(sn)))
  }
  // What was kept can be read and packed, and the next device is served by the process that was there before.
  await keepTelemetry(server.db, new Date(Date.now() + 2 * 3_600_000))
  const { rows } = await sql`select count(*) from telemetry_raw`.execute(server.db)
  expect(rows).toEqual([{ count: 0 }])
  const line = await connectDevice({ port: devices.port, ...(await add('FUZZ-LATER')) })
  expect(line.code).toBe(0)
  line.vanish()
  expect(devices.gatewayPid).toBe(gatewayPid)
}, 240_000)
