import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  agentProgram,
  createCodes,
  createTask,
  device,
  deviceDetail,
  deviceHistory,
  downloadFile,
  type Row,
  refusedConnections,
  taskDevice,
} from '@campanile/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addShippedCodes } from '../domains/system/index.ts'
import { addDepartment, addUser, startTestApp, type TestApp } from '../test/app.ts'
import { readPng } from '../test/png.ts'

// A real agent, a real screen, a real service: everything but the device's owner.
vi.setConfig({ testTimeout: 120_000 })

const sn = 'EDGE-0001'
const screen = { width: 320, height: 240 }
const children = new Set<ChildProcess>()
let folder: string
let server: TestApp
let address: string
let token: string
let run: ChildProcess

const start = (
  program: string,
  args: readonly string[],
  stdio: 'inherit' | readonly ('ignore' | 'pipe')[] = 'inherit',
) => {
  const child = spawn(program, args, { stdio: stdio as 'inherit', cwd: folder })
  children.add(child.once('exit', () => children.delete(child)))
  child.once('error', (error) => {
    throw new Error(`${program} is missing: apt-get install xvfb x11-apps (${error.message})`)
  })
  return child
}
/** What a program says; the server lives in this process, so nothing may hold it up. */
const ends = async (program: string, args: readonly string[]) =>
  (await promisify(execFile)(program, args, { cwd: folder, encoding: 'utf8' })).stdout
const agent = (...args: string[]) => ['campanile-agent.mjs', ...args, '--state', join(folder, 'state')]

/** A screen of its own, and on it one window of known colours at a known place. */
const startScreen = async () => {
  const server = start(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', `${screen.width}x${screen.height}x24`, '-nolisten', 'tcp'],
    ['ignore', 'pipe', 'ignore'],
  )
  const [number] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const display = `:${number.toString().trim()}`
  start('xlogo', ['-display', display, '-geometry', '120x80+40+30', '-bw', '0', '-bg', '#ff0000', '-fg', '#00ff00'])
  return display
}

/** A service like any other: a process that notes when it begins, and a command that restarts it. */
const writeService = async () => {
  const log = join(folder, 'service.log')
  await writeFile(
    join(folder, 'service.sh'),
    `#!/bin/sh\nif [ -f pid ]; then kill "$(cat pid)"; fi
sh -c 'echo $$ > pid; echo "started $$" >> service.log; exec sleep 600' > /dev/null 2>&1 &\nsleep 0.3\n`,
    { mode: 0o755 },
  )
  await ends('./service.sh', [])
  return log
}
const pidOfService = async () => Number(await readFile(join(folder, 'pid'), 'utf8'))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'))
  server = await startTestApp({ roles: ['api', 'gateway', 'worker'] })
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
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
  const service = await pidOfService().catch(() => undefined)
  if (service) process.kill(service, 'SIGKILL')
  await server.stop()
  await rm(folder, { recursive: true })
})

/** A line to the gateway that can be cut and mended. */
const createLine = () => {
  const sockets = new Set<Socket>()
  let to = { host: '127.0.0.1', port: 0 }
  let at = 0
  const proxy = createServer((near) => {
    const far = connect(to)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    near.pipe(far).on('close', () => near.destroy())
    near.on('close', () => far.destroy()).setNoDelay(true)
    far.pipe(near)
  })
  const mend = () => new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve))
  return {
    lead: async (target: { host: string; port: number }) => {
      to = target
      await mend()
      at = (proxy.address() as AddressInfo).port
      return at
    },
    cut: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    mend,
  }
}
const line = createLine()
const identityPath = () => join(folder, 'state', 'identity.json')
const leadThrough = async ({ lead }: ReturnType<typeof createLine>) => {
  const identity = JSON.parse(await readFile(identityPath(), 'utf8'))
  const { hostname, port } = new URL(identity.mqttUrl)
  const mqttUrl = `mqtt://127.0.0.1:${await lead({ host: hostname, port: Number(port) })}`
  await writeFile(identityPath(), JSON.stringify({ ...identity, mqttUrl }), { mode: 0o600 })
}
/** How many of the lines that wait would be drawn. */
const keptPoints = async () => {
  const store = join(folder, 'state', 'backlog')
  const names = (await readdir(store)).filter((name) => name.endsWith('.log'))
  const texts = await Promise.all(names.map((name) => readFile(join(store, name), 'utf8').catch(() => '')))
  return texts.join('').match(/^.*"(cpu|memory)".*$/gm)?.length ?? 0
}
const pointsBetween = async (from: number, to: number) => {
  const [startTime, endTime] = [new Date(from).toISOString(), new Date(to).toISOString()]
  const { data } = await server.call(deviceHistory, { sn, names: ['cpu', 'memory'], startTime, endTime }, { token })
  const { series } = data as { series: Partial<Record<'cpu' | 'memory', { t: number }[]>> }
  return [...(series.cpu ?? []), ...(series.memory ?? [])].filter(({ t }) => t >= from && t <= to).length
}

const rows = async <R>(path: string, query: string) =>
  (await server.request('GET', `${path}?${query}`, undefined, { token })).data.rows as R[]
const give = async (command: 'restartApp' | 'uploadLog' | 'screenshot' | 'whitelist', args: object = {}) => {
  const made = await server.call(createTask, { command, args: { ...args }, sns: [sn] }, { token })
  return made.code === 100000 ? outcomeOf((made.data as { id: number }).id) : made
}
const outcomeOf = async (taskId: number) => {
  let found: Row<typeof taskDevice> | undefined
  await expect
    .poll(
      async () => {
        ;[found] = await rows<Row<typeof taskDevice>>(`${taskDevice.wire.path}/list`, `taskId=${taskId}`)
        return found?.state
      },
      { timeout: 60_000 },
    )
    .toMatch(/done|failed/)
  return found as Row<typeof taskDevice>
}
const sentFile = async ({ fileId }: Pick<Row<typeof taskDevice>, 'fileId'>, type: string): Promise<Buffer> => {
  const answer = await fetch(`${address}${downloadFile.path}?id=${fileId}`, { headers: { SessionId: token } })
  expect(answer.headers.get('content-type')).toBe(type)
  return Buffer.from(await answer.arrayBuffer())
}

describe('the agent on this machine', () => {
  it('comes from the server, joins with a code and stays: in the words of the README', async () => {
    const { data } = await server.call(createCodes, { codes: sn, deviceType: 14 }, { token })
    const [code] = data.codes as { activationCode: string }[]
    await ends('curl', ['-fsSo', 'campanile-agent.mjs', `${address}${agentProgram.path}`])
    const joined = await ends(
      process.execPath,
      agent('join', address, '--sn', sn, '--code', code?.activationCode ?? ''),
    )
    expect(joined).toBe(`${sn} has joined ${address}\n`)
    const unit = await ends(process.execPath, agent('install', '--print'))
    expect(unit).toContain(`agent.mjs run --state ${join(folder, 'state')}`)

    const config = {
      display: await startScreen(),
      apps: { till: { restart: ['./service.sh'] } },
      logs: { crash: [], log: [await writeService()] },
    }
    await writeFile(join(folder, 'state', 'config.json'), JSON.stringify(config))
    // What it measures changes by the second, and so does what it tells.
    await writeFile(join(folder, 'state', 'settings.json'), JSON.stringify({ items: { heartbeatSeconds: 1 } }))
    await leadThrough(line)
    run = start(process.execPath, agent('run'))
    await expect
      .poll(async () => (await rows<Row<typeof device>>(`${device.wire.path}/list`, `sn=${sn}`))[0]?.iotStatus, {
        timeout: 60_000,
      })
      .toBe('online')
  })

  it('tells what this machine really is', async () => {
    await expect
      .poll(async () => (await server.call(deviceDetail, { sn }, { token })).data, { timeout: 60_000 })
      .toMatchObject({
        values: { memory: { value: expect.any(Number) }, uptime: { value: expect.any(Number) } },
        row: { systemVersion: expect.stringMatching(/\w/), deviceType: 14 },
        apps: [{ package: 'till' }],
      })
  })

  it('really restarts a service', async () => {
    const before = await pidOfService()
    expect(await give('restartApp', { package: 'till' })).toMatchObject({ state: 'done' })
    const after = await pidOfService()
    expect(after).not.toBe(before)
    expect(process.kill(after, 0)).toBe(true)
    // Ended, whether somebody has collected it or not.
    await expect
      .poll(() =>
        readFile(`/proc/${before}/stat`, 'utf8').then(
          (text) => text.split(') ')[1]?.[0],
          () => 'gone',
        ),
      )
      .toMatch(/Z|gone/)
  })

  it('sends a real log', async () => {
    const row = await give('uploadLog', { type: 'log' })
    expect(row).toMatchObject({ state: 'done', fileName: expect.stringMatching(/^log-.*\.tar\.gz$/) })
    const archive = join(folder, 'log.tar.gz')
    await writeFile(archive, await sentFile(row as Row<typeof taskDevice>, 'application/gzip'))
    const log = join(folder, 'service.log')
    const packed = await ends('tar', ['-xzOf', archive, `.${log}`])
    expect(packed).toBe(await readFile(log, 'utf8'))
    expect(packed.match(/started \d+/g)).toHaveLength(2)
  })

  it('sends a picture of the screen with what stands on it', async () => {
    let shown: ReturnType<typeof readPng> | undefined
    // The window may take a moment to be drawn.
    await expect
      .poll(
        async () => {
          const row = await give('screenshot')
          expect(row).toMatchObject({ state: 'done', fileName: expect.stringMatching(/\.png$/) })
          shown = readPng(await sentFile(row as Row<typeof taskDevice>, 'image/png'))
          return shown.colour(42, 32)
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe('#ff0000')
    const { width, height, colour } = shown as ReturnType<typeof readPng>
    expect({ width, height }).toEqual(screen)
    // The window's four corners, just inside and just outside.
    for (const [x, y] of [
      [40, 30],
      [159, 30],
      [40, 109],
      [159, 109],
    ] as const)
      expect([x, y, colour(x, y)]).toEqual([x, y, expect.stringMatching(/#ff0000|#00ff00/)])
    for (const [x, y] of [
      [39, 30],
      [160, 30],
      [40, 29],
      [40, 110],
    ] as const)
      expect([x, y, colour(x, y)]).toEqual([x, y, expect.not.stringMatching(/#ff0000|#00ff00/)])
    const logo = Array.from({ length: 120 * 80 }, (_, at) => colour(40 + (at % 120), 30 + Math.floor(at / 120)))
    expect(logo.filter((each) => each === '#00ff00').length).toBeGreaterThan(500)
  })

  it('tells afterwards what it measured while nobody could be reached, killed in between and without a clock', async () => {
    await line.cut()
    const began = Date.now()
    // Some may have been kept before the cut, while an answer was owing; and what a machine takes for the server's time
    // is off by as much as the answer was slow. So more are waited for than are asked about.
    const more = async (count = 5) => {
      const before = await keptPoints()
      await expect.poll(keptPoints, { timeout: 90_000 }).toBeGreaterThanOrEqual(before + count)
    }
    await more()
    run.kill('SIGKILL')
    await once(run, 'exit')
    const killed = Date.now()
    // After a power cut such a machine believes it is 1970.
    const unset = 'data:text/javascript,const now=Date.now;Date.now=()=>now()-1.7e12'
    run = start(process.execPath, ['--import', unset, ...agent('run')])
    await more()
    const ended = Date.now()
    expect(await pointsBetween(began, ended)).toBe(0)
    await line.mend()
    for (const [from, to] of [
      [began, killed],
      [killed, ended],
    ] as const)
      await expect.poll(() => pointsBetween(from, to), { timeout: 90_000 }).toBeGreaterThan(0)
    await expect.poll(keptPoints, { timeout: 90_000 }).toBe(0)
    // And what it tells now is of now.
    await expect.poll(() => pointsBetween(ended, Date.now()), { timeout: 60_000 }).toBeGreaterThan(0)
    expect((await server.call(refusedConnections, {}, { token })).data).toMatchObject({ rows: [] })
  }, 300_000)

  it('says clearly what it cannot do here', async () => {
    // Told with its hello, so that the platform refuses before anything is sent.
    expect(await give('whitelist', { packages: [] })).toMatchObject({ code: 93011 })
    expect(await give('restartApp', { package: 'nothing' })).toMatchObject({
      state: 'failed',
      reason: 'no app nothing is configured here',
    })
    expect(await give('uploadLog', { type: 'custom', path: '/etc/' })).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('outside the folders this machine lets out'),
      fileId: null,
    })
  })
})
