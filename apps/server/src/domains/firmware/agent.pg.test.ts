import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCodes, device, firmware, releaseFirmware } from '@campanile/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../test/mqtt.ts'
import { uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createActs } from '../release/release.fixture.ts'

// A real agent with a system of its own: everything but the machine.
const sn = 'FW-EDGE-1'
const program = join(import.meta.dirname, '../../../../agent/dist/agent.js')
let world: World
let person: Person
let folder: string
let running: ChildProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firmware-agent-'))
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  person = await world.as('alder.admin')
})
afterAll(async () => {
  if (running) {
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  await world.stop()
  await rm(folder, { recursive: true })
})

const agent = (...args: string[]) =>
  spawn(process.execPath, [program, ...args, '--state', join(folder, 'state')], { stdio: 'ignore' })
const system = () => join(folder, 'system')
const inUse = () => execFileSync('sh', [join(system(), 'current', 'run.sh')], { encoding: 'utf8' }).trim()

/** A zip as anybody's tools make it, with a program that says its version and whether it is well. */
const zipOf = async (version: string, isWell: boolean) => {
  const inside = join(folder, version)
  await mkdir(inside)
  await writeFile(join(inside, 'run.sh'), `echo ${version}\nexit ${isWell ? 0 : 1}\n`)
  await chmod(join(inside, 'run.sh'), 0o755)
  execFileSync('zip', ['-qr', join(folder, `${version}.zip`), '.'], { cwd: inside })
  return readFile(join(folder, `${version}.zip`))
}
const release = async (version: string, isWell: boolean) => {
  const { id: uploadId } = await uploadWhole(
    person,
    await zipOf(version, isWell),
    `Edge_WiFi_12_${version}_1.zip`,
    'firmware',
  )
  const made = await person.post(`${firmware.wire.path}/create`, { uploadId, type: 'full', departmentId: world.a.id })
  const sent = await person.post(releaseFirmware.path, {
    id: made.data.id,
    targets: [{ sns: [sn] }],
    mode: 'realTime',
    options: { retries: 0, bakeMinutes: 0 },
  })
  expect(sent).toMatchObject({ code: 100000 })
  const acts = createActs(person)
  const ended = (state?: string) => ['succeeded', 'failed', 'cancelled'].includes(state ?? '')
  return eventually(
    () => acts.stateOf(Number(sent.data.id), sn),
    (now) => ended(now?.state),
  )
}
const told = async () =>
  ((await person.get(`${device.wire.path}/list`, { sn })).data.rows as { firmwareVersion: string | null }[])[0]
    ?.firmwareVersion

it('takes a new system, proves it, reports it, and goes back from one that is not well', async () => {
  const address = await world.app.listen({ host: '127.0.0.1', port: 0 })
  const { data } = await person.post(createCodes.path, { codes: sn, departmentId: world.a.shop })
  const [code] = data.codes as { activationCode: string }[]
  const [joined] = await once(agent('join', address, '--sn', sn, '--code', code?.activationCode ?? ''), 'exit')
  expect(joined).toBe(0)
  const health = ['sh', join(system(), 'current', 'run.sh')]
  const config = {
    model: 'Edge',
    firmware: { folder: system(), restart: ['true'], health, healthSeconds: 1, version: '3.0.0' },
  }
  await writeFile(join(folder, 'state', 'config.json'), JSON.stringify(config))
  running = agent('run')
  await eventually(told, (version) => version === '3.0.0')

  expect(await release('3.1.0', true)).toMatchObject({ state: 'succeeded', newVersion: '3.1.0' })
  expect(inUse()).toBe('3.1.0')
  await eventually(told, (version) => version === '3.1.0')

  expect(await release('3.2.0', false)).toMatchObject({ state: 'failed', reason: 'notHealthy' })
  expect(inUse()).toBe('3.1.0')
  expect(await told()).toBe('3.1.0')
}, 180_000)
