import { setTimeout as sleep } from 'node:timers/promises'
import { activate } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { connectDevice } from '../test/mqtt.ts'

let server: TestApp
let departmentId: number
let codes = 0

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
})
afterAll(() => server.stop())

/** Exchanges a new code for a new credential. */
const join = async (sn: string) => {
  codes += 1
  const code = `joining-code-${codes}`
  await sql`insert into activation_code (sn, activation_code, department_id) values (${sn}, ${code}, ${departmentId})`.execute(
    server.db,
  )
  const { data } = await server.call(activate, { sn, code })
  return { sn, password: String(data.password) }
}
const connect = (device: { sn: string; password: string }) =>
  connectDevice({ port: server.app.doors.device.port, ...device, version: 5 })
/** Longer than word of the change takes to come round. */
const wordIsRound = () => sleep(600)

it('a device that connects the moment it has joined stays, and only older credentials end', async () => {
  await addDevice(server.db, { sn: 'JOIN-1', departmentId })
  for (let round = 0; round < 4; round += 1) {
    const line = await connect(await join('JOIN-1'))
    expect(line.code).toBe(0)
    await wordIsRound()
    expect(line.isClosed()).toBe(false)
  }
})

it('a connection under the older credential ends even when the newer one was never used', async () => {
  const older = await addDevice(server.db, { sn: 'JOIN-2', departmentId })
  const line = await connect(older)
  await join('JOIN-2')
  await line.until(line.isClosed)
  expect(line.received).toContainEqual(expect.objectContaining({ cmd: 'disconnect', reasonCode: 0x98 }))
})
