import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeviceReply } from '../domains/device/index.ts'
import { addDepartment, startTestApp, type TestApp } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { eventually, sendTo } from '../test/mqtt.ts'

const folder = mkdtempSync(join(tmpdir(), 'campanile-example-'))
const keepalive = 2
const heard: DeviceReply[] = []
let server: TestApp
let departmentId: number

beforeAll(async () => {
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  server.app.doors.device.onReply(async (_tx, some) => {
    heard.push(...some)
  })
  departmentId = await addDepartment(server.db, { name: 'Root' })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const presenceOf = async (id: number) =>
  (
    await sql<{ online: boolean; reason: string | null }>`select online, reason from presence_log
      where device_id = ${id} order by time`.execute(server.db)
  ).rows

it.each([
  ['Python', 'python3', 'device.py', 'cpu'],
  ['Perl', 'perl', 'device.pl', 'uptime'],
])('the example in %s joins, stays for many keep-alives, answers and comes back', async (_, program, file, value) => {
  const sn = `EXAMPLE-${program}`
  const { id } = await addDevice(server.db, { sn, departmentId })
  await sql`insert into activation_code (sn, activation_code, department_id) values (${sn}, ${program}, ${departmentId})`.execute(
    server.db,
  )
  const example = fileURLToPath(new URL(`../../../../docs/examples/${file}`, import.meta.url))
  const { port } = server.app.server.address() as AddressInfo
  const send = (command: string, name: string) =>
    eventually(
      async () =>
        sendTo(server.app.doors.device, sn, {
          id: command,
          name,
          args: { title: 'To all', text: 'hi' },
          expires: Date.now() + 60_000,
        }),
      (sent) => sent,
      30_000,
    )
  // An answer comes twice when the line ends before it is acknowledged, as it may on a busy machine: also one to an
  // earlier command, which nobody asks about here.
  const answered = (expected: readonly string[], since = 0) => {
    const asked = expected.map((each) => each.split(' ')[0])
    return eventually(
      async () => {
        const answers = heard.slice(since).filter((each) => each.sn === sn && asked.includes(each.reply.id))
        return [...new Set(answers.map(({ reply }) => `${reply.id} ${reply.state}`))]
      },
      (found) => expected.every((each) => found.includes(each)),
      30_000,
    )
  }
  let said = ''
  const start = () => {
    const device = spawn(program, [example, `http://127.0.0.1:${port}`, sn, program], {
      cwd: folder,
      env: { ...process.env, KEEPALIVE: String(keepalive) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    device.stderr.on('data', (text) => {
      said += text
    })
    return device
  }
  let device = start()
  try {
    await send('p1', 'message')
    await send('p2', 'wipe')
    expect(await answered(['p1 done', 'p2 failed'])).toEqual(['p1 done', 'p2 failed'])
    const { rows } = await eventually(
      () =>
        sql<{ firmware: string }>`select firmware_version as firmware from device_state
          where device_id = ${id} and values ? ${value}`.execute(server.db),
      (found) => found.rows.length === 1,
    )
    expect(rows).toEqual([{ firmware: '1.0' }])
    // Three times as long as a silent device may stay.
    await sleep(keepalive * 1500 * 3)
    expect(await presenceOf(id)).toEqual([{ online: true, reason: null }])

    const killed = server.app.doors.device.gatewayPid as number
    process.kill(killed, 'SIGKILL')
    await eventually(
      async () => server.app.doors.device.gatewayPid,
      (pid) => pid !== killed,
    )
    await send('p3', 'message')
    await answered(['p3 done'])
    expect(statSync(join(folder, `${sn}.json`)).mode & 0o777).toBe(0o600)

    device.kill('SIGKILL')
    await eventually(
      () => presenceOf(id),
      (log) => log.at(-1)?.reason === 'will',
    )
    // Started again it knows who it is: the code has been used. What it did it does not do again.
    const before = heard.length
    device = start()
    await send('p1', 'message')
    await send('p4', 'message')
    expect(await answered(['p1 done', 'p4 done'], before)).toEqual(['p1 done', 'p4 done'])
  } catch (error) {
    throw new Error(`${error}\n${said}`)
  } finally {
    device.kill('SIGKILL')
  }
})
