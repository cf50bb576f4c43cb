import { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice, connectDevice, eventually } from '../test/mqtt.ts'

let server: TestApp
let departmentId: number
let port: number

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  port = server.app.services.devices.port
})
afterAll(() => server.stop())

const stateOf = async (id: number) => {
  const { rows } = await sql<{
    iotStatus: string
    firmware: string | null
    battery: number | null
    reason: string | null
    values: Record<string, { v: unknown; t: number }>
  }>`select iot_status as "iotStatus", firmware_version as firmware, battery, disconnect_reason as reason, values
    from device_state where device_id = ${id}`.execute(server.db)
  return rows[0]
}

describe('a device that connects', () => {
  it.each([3, 4, 5] as const)(
    'is let in with its credential, speaks and is known to be there (version %i)',
    async (version) => {
      const device = await addDevice(server.db, { sn: `JOIN-${version}`, departmentId })
      const line = await connectDevice({ port, ...device, version })
      expect(line.code).toBe(0)
      await line.publish(protocol.upTopic(device.sn, 'hello'), {
        model: 'T2',
        firmware: '1.2.3',
        addresses: ['10.0.0.9'],
      })
      await line.publish(protocol.upTopic(device.sn, 'state'), { ts: Date.now(), battery: 55, charging: 'charging' })
      expect(await stateOf(device.id)).toMatchObject({ iotStatus: 'online', firmware: '1.2.3', battery: 55 })
      line.goodbye()
      await eventually(
        () => stateOf(device.id),
        (state) => state?.iotStatus === 'offline' && state.reason === 'clean',
      )
    },
  )
})
