import { once } from 'node:events'
import { chown, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startServer } from './test/server-process.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

// Whole servers start here, several times per test.
vi.setConfig({ testTimeout: 120_000 })

/** One installation for all tests but the last: each leaves it stopped, however roughly. */
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  return () => rm(dataDir, { recursive: true })
})

const asRoot = process.getuid?.() === 0

const isUp = async (address: string): Promise<boolean> => (await fetch(`${address}/healthz`)).ok

const postmasterOf = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

/** Processes that work in the cluster's folder. */
const databaseProcesses = async (folder = dataDir): Promise<string[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index] === join(folder, 'postgres'))
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops server and database and leaves no process or lock',
  async (signal) => {
    const server = await startServer({ dataDir })
    expect(await isUp(server.address)).toBe(true)
    expect(await server.end(signal)).toEqual({ code: 0, signal: null })
    expect(await databaseProcesses()).toEqual([])
    expect(await readdir(join(dataDir, 'lock'))).toEqual([])
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
  },
)

test('Ctrl-C that arrives twice, from the terminal and through npm, still stops in order', async () => {
  const server = await startServer({ dataDir })
  server.child.kill('SIGINT')
  expect(await server.end('SIGINT')).toEqual({ code: 0, signal: null })
  expect(await databaseProcesses()).toEqual([])
})

test('after kill -9 of the server its database soon ends too, and the next start works', async () => {
  const first = await startServer({ dataDir })
  await first.end('SIGKILL')
  await expect.poll(() => databaseProcesses(), { timeout: 60_000 }).toEqual([])
  const second = await startServer({ dataDir })
  expect(await isUp(second.address)).toBe(true)
})

test('a start right after kill -9 takes over while the old database still runs', async () => {
  const first = await startServer({ dataDir })
  const old = await postmasterOf()
  // Stopped, it hears nothing of our end and is really left behind.
  process.kill(old, 'SIGSTOP')
  await first.end('SIGKILL')
  setTimeout(() => process.kill(old, 'SIGCONT'), 2_000)
  const second = await startServer({ dataDir })
  expect(await isUp(second.address)).toBe(true)
  expect(await postmasterOf()).not.toBe(old)
})

test('kill -9 of server and database together does not hinder the next start', async () => {
  const first = await startServer({ dataDir })
  process.kill(await postmasterOf(), 'SIGKILL')
  await first.end('SIGKILL')
  const second = await startServer({ dataDir })
  expect(await isUp(second.address)).toBe(true)
})

test('kill -9 of the database alone does not end the server', async () => {
  const server = await startServer({ dataDir })
  const old = await postmasterOf()
  process.kill(old, 'SIGKILL')
  await expect.poll(() => postmasterOf().catch(() => old), { timeout: 60_000 }).not.toBe(old)
  expect(await isUp(server.address)).toBe(true)
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('a second server on the same data folder is refused and the first goes on', async () => {
  const first = await startServer({ dataDir })
  await expect(startServer({ dataDir })).rejects.toThrow(
    `${dataDir} is in use by the Campanile with process number ${first.child.pid}`,
  )
  expect(await isUp(first.address)).toBe(true)
})

test('a taken port ends the first start with a sentence, stops the database again, and does not swallow the password', async () => {
  const fresh = await temporaryFolder()
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const address = holder.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const attempt = startServer({ dataDir: fresh, env: { CAMPANILE_PORT: port } })
  await expect(attempt).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken: set CAMPANILE_PORT to a free one.`)
  await expect(attempt).rejects.toThrow(/administrator's password is \S+/)
  expect(await databaseProcesses(fresh)).toEqual([])
})

test('a wrong setting ends the start before anything is made', async () => {
  const untouched = join(await temporaryFolder(), 'data')
  await expect(startServer({ dataDir: untouched, env: { CAMPANILE_CAPTCHA: 'perhaps' } })).rejects.toThrow(
    'write on or off',
  )
  await expect(readdir(untouched)).rejects.toThrow('ENOENT')
})

test.runIf(asRoot)('an ordinary user starts it just as well, and root afterwards keeps that owner', async () => {
  const daemon = 1
  const theirs = await temporaryFolder()
  await chown(theirs, daemon, daemon)
  const first = await startServer({ dataDir: theirs, uid: daemon })
  expect(await isUp(first.address)).toBe(true)
  expect(await first.end('SIGINT')).toEqual({ code: 0, signal: null })
  const second = await startServer({ dataDir: theirs })
  expect(await isUp(second.address)).toBe(true)
})
