import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeviceReply } from '../domains/device/index.ts'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice, eventually } from '../test/mqtt.ts'

const example = fileURLToPath(new URL('../../../../docs/examples/device.py', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'campanile-example-'))
const sn = 'PY-1'
const keepalive = 2
const replies: DeviceReply['reply'][] = []
let server: TestApp
let id: number

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  server.app.services.devices.onReply(async (_tx, some) => {
    replies.push(...some.map(({ reply }) => reply))
  })
  const departmentId = await addDepartment(server.db, { name: 'Root' })
  id = (await addDevice(server.db, { sn, departmentId })).id
  await sql`insert into activation_code (sn, activation_code, department_id) values (${sn}, 'python', ${departmentId})`.execute(
    server.db,
  )
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const presence = async () =>
  (
    await sql<{ online: boolean; reason: string | null }>`select online, reason from presence_log
      where device_id = ${id} order by time`.execute(server.db)
  ).rows
const send = (command: string, name: string) =>
  eventually(
    async () =>
      server.app.services.devices.send(sn, { id: command, name, args: { text: 'hi' }, expires: Date.now() + 60_000 }),
    (sent) => sent === 'sent',
    30_000,
  )
const answered = (count: number) =>
  eventually(
    async () => replies,
    (found) => found.length === count,
    30_000,
  )

it('the example of the documentation joins, stays for many keep-alives, answers and comes back', async () => {
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const start = () => {
    const device = spawn('python3', [example, address, sn, 'python'], {
      cwd: folder,
      env: { ...process.env, KEEPALIVE: String(keepalive) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    device.stderr.on('data', (text) => {
      said += text
    })
    return device
  }
  let said = ''
  let device = start()
  try {
    await send('p1', 'message')
    await send('p2', 'wipe')
    expect(await answered(2)).toEqual([
      { id: 'p1', state: 'done' },
      { id: 'p2', state: 'failed', error: 'cannot do wipe' },
    ])
    const { rows } = await eventually(
      () =>
        sql<{ firmware: string }>`select firmware_version as firmware from device_state
          where device_id = ${id} and values ? 'cpu'`.execute(server.db),
      (found) => found.rows.length === 1,
    )
    expect(rows).toEqual([{ firmware: '1.0' }])
    // Three times as long as a silent device may stay.
    await sleep(keepalive * 1500 * 3)
    expect(await presence()).toEqual([{ online: true, reason: null }])

    const killed = server.app.services.devices.gatewayPid as number
    process.kill(killed, 'SIGKILL')
    await eventually(
      async () => server.app.services.devices.gatewayPid,
      (pid) => pid !== killed,
    )
    await send('p3', 'message')
    await answered(3)
    expect(statSync(join(folder, `${sn}.json`)).mode & 0o777).toBe(0o600)

    device.kill()
    await eventually(presence, (log) => log.at(-1)?.reason === 'will')
    // Started again it knows who it is: the code has been used.
    device = start()
    await send('p4', 'message')
    await answered(4)
  } catch (error) {
    throw new Error(`${error}\n${said}`)
  } finally {
    device.kill()
  }
})
