import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { connectDevice } from '../test/mqtt.ts'

const folder = mkdtempSync(join(tmpdir(), 'campanile-tls-'))
const cert = join(folder, 'devices.crt')
const key = join(folder, 'devices.key')
let server: TestApp | undefined

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true })
})

it('speaks TLS on the devices’ port where a certificate is configured, and plainly beside it', async () => {
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
  execFileSync('openssl', [...made, '-out', cert, '-keyout', key], { stdio: 'ignore' })
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'], mqttTls: { cert, key } })
  const departmentId = await addDepartment(server.db, { name: 'Root' })
  const port = server.app.doors.device.port
  for (const sn of ['TLS-1', 'PLAIN-1']) {
    const device = await addDevice(server.db, { sn, departmentId })
    const stream = sn.startsWith('TLS') ? connect({ port, host: '127.0.0.1', rejectUnauthorized: false }) : undefined
    const line = await connectDevice({ port, ...device, ...(stream && { stream }) })
    expect(line.code).toBe(0)
    await line.publish(protocol.upTopic(sn, 'state'), { ts: Date.now(), battery: 41 })
    const { rows } = await sql`select battery from device_state where device_id = ${device.id}`.execute(server.db)
    expect(rows).toEqual([{ battery: 41 }])
    line.vanish()
  }
})

it('does not start with what is no certificate', async () => {
  writeFileSync(cert, 'not a certificate')
  writeFileSync(key, 'nor a key')
  await expect(startTestApp({ roles: ['api', 'gateway', 'worker'], mqttTls: { cert, key } })).rejects.toThrow(
    'CAMPANILE_MQTT_CERT',
  )
})
