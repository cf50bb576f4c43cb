import { once } from 'node:events'
import { chown, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type ServerOptions, type ServerProcess, startServer } from './test/server-process.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

// Whole servers start here.
vi.setConfig({ testTimeout: 120_000 })

const asRoot = process.getuid?.() === 0
const daemon = 1
const ordinary = asRoot ? { uid: daemon } : {}

/** One installation for all: an ordinary user founds it where root can be one, and each test goes on where the last left it. */
let dataDir: string
let running: ServerProcess | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  if (asRoot) await chown(dataDir, daemon, daemon)
  return async () => {
    await running?.end('SIGTERM')
    await rm(dataDir, { recursive: true })
  }
})

const isUp = async (address: string): Promise<boolean> => (await fetch(`${address}/healthz`)).ok

const postmasterOf = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

/** Processes that work in the cluster's folder. */
const databaseProcesses = async (): Promise<string[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index] === join(dataDir, 'postgres'))
}

/** The server that the test before has left, or a new one. */
const started = async (options: Partial<ServerOptions> = {}): Promise<ServerProcess> => {
  running ??= await startServer({ dataDir, stays: true, ...options })
  return running
}

const ended = async (signal: NodeJS.Signals) => {
  const server = await started()
  running = undefined
  return server.end(signal)
}

const expectNothingLeft = async () => {
  expect(await databaseProcesses()).toEqual([])
  expect(await readdir(join(dataDir, 'lock'))).toEqual([])
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
}

test('a taken port ends the first start with a sentence, stops the database again, and does not swallow the password', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const address = holder.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const attempt = startServer({ dataDir, env: { CAMPANILE_PORT: port }, ...ordinary })
  await expect(attempt).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken: set CAMPANILE_PORT to a free one.`)
  await expect(attempt).rejects.toThrow(/administrator's password is \S+/)
  await expectNothingLeft()
})

test('an ordinary user starts it', async () => {
  const server = await started(ordinary)
  expect(await isUp(server.address)).toBe(true)
})

test('a second server on the same data folder is refused and the first goes on', async () => {
  const first = await started()
  await expect(startServer({ dataDir })).rejects.toThrow(
    `${dataDir} is in use by the Campanile with process number ${first.child.pid}`,
  )
  expect(await isUp(first.address)).toBe(true)
})

test('kill -9 of the database alone does not end the server', async () => {
  const server = await started()
  const old = await postmasterOf()
  process.kill(old, 'SIGKILL')
  await expect.poll(() => postmasterOf().catch(() => old), { timeout: 60_000 }).not.toBe(old)
  expect(await isUp(server.address)).toBe(true)
})

test('SIGTERM stops server and database and leaves no process or lock', async () => {
  await started()
  expect(await ended('SIGTERM')).toEqual({ code: 0, signal: null })
  await expectNothingLeft()
})

test('root starts it after an ordinary user, and SIGHUP stops it as well', async () => {
  const server = await started()
  expect(await isUp(server.address)).toBe(true)
  expect(await ended('SIGHUP')).toEqual({ code: 0, signal: null })
  await expectNothingLeft()
})

test('Ctrl-C that arrives twice, from the terminal and through npm, still stops in order', async () => {
  const server = await started()
  server.child.kill('SIGINT')
  expect(await ended('SIGINT')).toEqual({ code: 0, signal: null })
  await expectNothingLeft()
})

test('after kill -9 of the server its database soon ends too, and the next start works', async () => {
  await started()
  await ended('SIGKILL')
  await expect.poll(() => databaseProcesses(), { timeout: 60_000 }).toEqual([])
  const second = await started()
  expect(await isUp(second.address)).toBe(true)
})

test('a start right after kill -9 takes over while the old database still runs', async () => {
  await started()
  const old = await postmasterOf()
  // Stopped, it hears nothing of our end and is really left behind.
  process.kill(old, 'SIGSTOP')
  await ended('SIGKILL')
  setTimeout(() => process.kill(old, 'SIGCONT'), 2_000)
  const second = await started()
  expect(await isUp(second.address)).toBe(true)
  expect(await postmasterOf()).not.toBe(old)
})

test('kill -9 of server and database together does not hinder the next start', async () => {
  await started()
  process.kill(await postmasterOf(), 'SIGKILL')
  await ended('SIGKILL')
  const second = await started()
  expect(await isUp(second.address)).toBe(true)
})

test('SIGINT once stops it too', async () => {
  await started()
  expect(await ended('SIGINT')).toEqual({ code: 0, signal: null })
  await expectNothingLeft()
})

test('a wrong setting ends the start before anything is made', async () => {
  const untouched = join(await temporaryFolder(), 'data')
  await expect(startServer({ dataDir: untouched, env: { CAMPANILE_CAPTCHA: 'perhaps' } })).rejects.toThrow(
    'write on or off',
  )
  await expect(readdir(untouched)).rejects.toThrow('ENOENT')
})
