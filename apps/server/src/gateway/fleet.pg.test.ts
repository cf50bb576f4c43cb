import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCodes, createTask } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addShippedCodes } from '../domains/system/index.ts'
import { addDepartment, addUser, startTestApp, type TestApp } from '../test/app.ts'
import { eventually } from '../test/mqtt.ts'

/** The programs people run on devices, as processes, against the real server. */
const apps = fileURLToPath(new URL('../../../', import.meta.url))
const patienceMs = 40_000
const children = new Set<ChildProcess>()
let server: TestApp
let serverUrl: string
let token: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-'))
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  serverUrl = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const departmentId = await addDepartment(server.db, { name: 'Root' })
  await addUser(server.db, { username: 'root', departmentId, type: 0 })
  await addShippedCodes(server.db)
  token = (await server.signIn('root')).token
})
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await server.stop()
  await rm(folder, { recursive: true })
})

const run = (program: string, ...args: string[]) => {
  const child = spawn(process.execPath, [join(apps, program), ...args], { stdio: 'inherit' })
  children.add(child.once('exit', () => children.delete(child)))
  return child
}
const codeFor = async (sn: string, deviceType: number) => {
  const answer = await server.call(createCodes, { codes: `${sn};code-of-${sn};;`, deviceType }, { token })
  expect(answer.code).toBe(100000)
  return `code-of-${sn}`
}
const online = async () =>
  (
    await sql<{ sn: string; values: Record<string, unknown>; capabilities: string[]; type: number }>`
      select sn, values, capabilities, device_type as type from device join device_state on device_id = id
      where iot_status = 'online' order by sn`.execute(server.db)
  ).rows
const outcome = async (sn: string) =>
  (await sql<{ state: string }>`select state from command where sn = ${sn} order by id desc limit 1`.execute(server.db))
    .rows[0]
const isOver = (row: { state: string } | undefined) => row?.state === 'done' || row?.state === 'failed'

it('takes the agent of this machine in by its code, shows its values and has its commands done', async () => {
  const state = join(folder, 'agent')
  const code = await codeFor('AGENT-1', 14)
  await once(run('agent/dist/agent.js', 'join', serverUrl, '--sn', 'AGENT-1', '--code', code, '--state', state), 'exit')
  const trace = join(folder, 'restarted')
  await writeFile(join(state, 'config.json'), JSON.stringify({ apps: { till: { restart: ['touch', trace] } } }))
  run('agent/dist/agent.js', 'run', '--state', state)
  const [device] = await eventually(online, (rows) => rows.some(({ values }) => 'memory' in values), patienceMs)
  expect(device).toMatchObject({ sn: 'AGENT-1', capabilities: expect.arrayContaining(['restartApp', 'uploadLog']) })
  await server.call(createTask, { command: 'restartApp', args: {}, sns: ['AGENT-1'] }, { token })
  expect(await eventually(() => outcome('AGENT-1'), isOver, patienceMs)).toMatchObject({ state: 'done' })
  expect(await readFile(trace, 'utf8')).toBe('')
}, 120_000)

it('takes in simulated devices of all types, living and answering', async () => {
  const lines: string[] = []
  for (let type = 1; type <= 16; type += 1) {
    const sn = `SIM-${type}`
    lines.push(JSON.stringify({ sn, type, code: await codeFor(sn, type) }))
  }
  const file = join(folder, 'credentials.jsonl')
  await writeFile(file, `${lines.join('\n')}\n`)
  run(
    'simulator/dist/simulator.js',
    '--credentials',
    file,
    '--server',
    serverUrl,
    '--scenario',
    'load',
    '--heartbeat',
    '2',
  )
  const isThere = (rows: Awaited<ReturnType<typeof online>>) =>
    new Set(rows.filter(({ values }) => 'cpu' in values && 'longitude' in values).map(({ type }) => type)).size === 16
  await eventually(online, isThere, patienceMs)
  expect(await readFile(file, 'utf8')).not.toContain('code-of-')
  const show = (sn: string) =>
    server.call(createTask, { command: 'message', args: { title: '', text: 'hello' }, sns: [sn] }, { token })
  expect((await show('SIM-4')).code).toBe(100000)
  expect(await eventually(() => outcome('SIM-4'), isOver, patienceMs)).toMatchObject({ state: 'done' })
  // A camera has said that it has no screen.
  expect((await show('SIM-13')).code).toBe(93011)
}, 120_000)
