import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { packageFolder, prepareRuntime } from './runtime.ts'

// Clusters are made and killed here.
vi.setConfig({ testTimeout: 120_000 })

const asRoot = process.getuid?.() === 0
const log = pino({ level: 'silent' })
const passwords = { owner: 'owner-of-these-tests', app: 'requests-of-these-tests' }

const start = async (dataDir: string, options: Partial<EmbeddedOptions> = {}) => {
  const database = await startEmbedded({ dataDir, passwords, log, ...options })
  let stopped = false
  const stop = async () => {
    if (!stopped) await database.stop()
    stopped = true
  }
  onTestFinished(stop)
  return { ...database, stop }
}

const query = async (config: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(config)
  await client.connect()
  return client
    .query(sql)
    .then((result) => result.rows)
    .finally(() => client.end())
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

test('a cluster is made, used, stopped and opened again', async () => {
  const data = await temporaryFolder()
  const first = await start(data)
  await query(first.owner, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
  await first.stop()
  expect(await readdir(join(data, 'postgres'))).not.toContain('postmaster.pid')
  const second = await start(data)
  expect(await query(second.owner, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
})

test('only the two passwords open it, nothing listens on the network, and the folder is closed to others', async () => {
  const data = await temporaryFolder()
  const { owner, app } = await start(data)
  expect(await query(app, 'SELECT current_user AS who')).toEqual([{ who: 'campanile_app' }])
  await expect(query({ ...owner, password: 'wrong' }, 'SELECT 1')).rejects.toThrow('password authentication failed')
  await expect(query({ ...app, password: passwords.owner }, 'SELECT 1')).rejects.toThrow(
    'password authentication failed',
  )
  const settings = `SELECT current_setting('listen_addresses') AS tcp, current_setting('synchronous_commit') AS commit,
    current_setting('data_checksums') AS checksums`
  expect(await query(owner, settings)).toEqual([{ tcp: '', commit: 'on', checksums: 'on' }])
  expect((await stat(join(data, 'postgres'))).mode & 0o777).toBe(0o700)
  const roles = `SELECT rolname, rolsuper, rolpassword LIKE 'SCRAM-SHA-256$%' AS scram FROM pg_authid WHERE rolcanlogin ORDER BY 1`
  expect(await query(owner, roles)).toEqual([
    { rolname: 'campanile_app', rolsuper: false, scram: true },
    { rolname: 'campanile_owner', rolsuper: true, scram: true },
  ])
})

test('a data folder whose path is too long for a socket works', async () => {
  const data = join(await temporaryFolder(), 'x'.repeat(90), 'y'.repeat(90))
  await mkdir(data, { recursive: true, mode: 0o700 })
  const { owner, app } = await start(data)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(await query(app, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test.runIf(asRoot)('root may keep the data where the unprivileged account cannot go', async () => {
  const closed = await temporaryFolder('/root')
  await chmod(closed, 0o700)
  const data = join(closed, 'data')
  await mkdir(data, { mode: 0o700 })
  const { owner } = await start(data)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  const pid = await postmasterOf(data)
  expect(await readlink(`/proc/${pid}/cwd`)).toBe(join(data, 'postgres'))
  expect((await stat(`/proc/${pid}`)).uid).toBe(65534)
})

test.runIf(asRoot)('root may keep the checkout where the unprivileged account cannot go', async () => {
  const closed = await temporaryFolder('/root')
  const copies = await temporaryFolder()
  await chmod(copies, 0o755)
  await cp(join(packageFolder(), '..'), join(closed, 'package'), { recursive: true })
  const nobody = { uid: 65534, gid: 65534 }
  const runtime = await prepareRuntime(copies, nobody, join(closed, 'package/native'), [copies])
  expect(runtime.bin.startsWith(copies)).toBe(true)
  expect(execFileSync(join(runtime.bin, 'initdb'), ['--version'], { ...nobody, cwd: '/' }).toString()).toContain(
    '(PostgreSQL) 18',
  )
  // The copy is made once.
  const made = await stat(runtime.bin)
  await prepareRuntime(copies, nobody, join(closed, 'package/native'), [copies])
  expect((await stat(runtime.bin)).ino).toBe(made.ino)
})

test('library links that npm did not make are made in a folder of ours', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  await cp(join(packageFolder(), '..'), join(folder, 'package'), {
    recursive: true,
    filter: (path) => !path.endsWith('.a'),
  })
  const native = join(folder, 'package/native')
  for (const { target } of JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))) {
    await rm(join(folder, 'package', target))
  }
  await mkdir(join(folder, 'runtime'))
  const runtime = await prepareRuntime(folder, undefined, native, [join(folder, 'runtime')])
  expect(runtime).toMatchObject({ major: 18, bin: expect.stringContaining(join(folder, 'runtime')) })
  expect(execFileSync(join(runtime.bin, 'initdb'), ['--version']).toString()).toContain('(PostgreSQL) 18')
})

test('a cluster of another major version is left alone', async () => {
  const data = await temporaryFolder()
  await (await start(data)).stop()
  await writeFile(join(data, 'postgres/PG_VERSION'), '17\n')
  const before = await readdir(join(data, 'postgres'))
  await expect(start(data)).rejects.toThrow(
    /was made by PostgreSQL 17 and this Campanile brings PostgreSQL 18: .*Nothing was changed/,
  )
  expect(await readdir(join(data, 'postgres'))).toEqual(before)
})

test('a first start that was cut off in the middle begins anew', async () => {
  const data = await temporaryFolder()
  await mkdir(join(data, 'postgres.new/base'), { recursive: true })
  const { owner } = await start(data)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(await readdir(data)).toEqual(['postgres'])
})

test('a database that is killed comes back by itself with every committed row', async () => {
  const data = await temporaryFolder()
  const { owner } = await start(data)
  await query(owner, 'CREATE TABLE kept (id int); INSERT INTO kept SELECT generate_series(1, 1000)')
  const killed = await postmasterOf(data)
  process.kill(killed, 'SIGKILL')
  const count = () => query(owner, 'SELECT count(*)::int AS count FROM kept').catch(() => 'not yet')
  await expect.poll(count, { timeout: 60_000 }).toEqual([{ count: 1000 }])
  expect(await postmasterOf(data)).not.toBe(killed)
})

test('a database that cannot be started again is reported, not retried for ever', async () => {
  const data = await temporaryFolder()
  let lost: Error | undefined
  await start(data, {
    onLost: (error) => {
      lost = error
    },
  })
  await rm(join(data, 'postgres/global'), { recursive: true })
  process.kill(await postmasterOf(data), 'SIGKILL')
  await expect.poll(() => lost?.message, { timeout: 60_000 }).toContain('PostgreSQL did not start')
})

test('numbers and sockets left behind by a machine that lost power do not hinder the start', async () => {
  const data = await temporaryFolder()
  await (await start(data)).stop()
  // After the reboot our own number has been given to someone else: to this test.
  const lines = [process.pid, join(data, 'postgres'), 1, 5432, '.', '', '1 1', 'ready']
  await writeFile(join(data, 'postgres/postmaster.pid'), `${lines.join('\n')}\n`)
  await writeFile(join(data, 'postgres/.s.PGSQL.5432.lock'), `${process.pid}\n`)
  await writeFile(join(data, 'postgres/.s.PGSQL.5432'), '')
  const { owner } = await start(data)
  expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})
