import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { startServer } from './test/server-process.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

// Whole servers start here, several times per test.
vi.setConfig({ testTimeout: 120_000 })

const campanile = (dataDir: string, ...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, CAMPANILE_DATA: dataDir }
    const cli = join(import.meta.dirname, '../dist/cli.js')
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
    )
  })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  return () => rm(folder, { recursive: true })
})

test('a running server is backed up, the file fills an empty folder, and a server starts there', async () => {
  const [data, copy, file] = [join(folder, 'data'), join(folder, 'copy'), join(folder, 'campanile.zip')]
  const server = await startServer({ dataDir: data })
  await mkdir(join(data, 'files'), { recursive: true })
  await writeFile(join(data, 'files/photo.png'), 'picture')
  expect(await campanile(data, 'backup', file)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`${file} holds`),
  })
  expect((await fetch(`${server.address}/healthz`)).ok).toBe(true)

  expect(await campanile(data, 'restore', file, '--replace')).toMatchObject({
    code: 1,
    said: expect.stringContaining('is in use by'),
  })
  expect(await campanile(copy, 'restore', file)).toMatchObject({ code: 0 })
  expect(await readFile(join(copy, 'files/photo.png'), 'utf8')).toBe('picture')
  const second = await startServer({ dataDir: copy })
  expect((await fetch(`${second.address}/healthz`)).ok).toBe(true)
  expect(await campanile(copy, 'restore', file)).toMatchObject({
    code: 1,
    said: expect.stringContaining('is in use by'),
  })
  await second.end('SIGTERM')
  expect(await campanile(copy, 'restore', file)).toMatchObject({
    code: 1,
    said: expect.stringContaining('add --replace'),
  })
})

test('a stopped server is backed up too, and nothing keeps running', async () => {
  const copy = join(folder, 'copy')
  expect(await campanile(copy, 'backup', join(folder, 'copy.zip'))).toMatchObject({ code: 0 })
  expect(await readdir(join(copy, 'lock'))).toEqual([])
  expect(await readdir(join(copy, 'postgres'))).not.toContain('postmaster.pid')
})

test('mistakes are told in sentences', async () => {
  const folder = await temporaryFolder()
  expect(await campanile(folder, 'backup', join(folder, 'x.zip'))).toEqual({
    code: 1,
    said: `${folder} holds no installation: start Campanile once, or set CAMPANILE_DATA.\n`,
  })
  expect(await campanile(folder, 'restore', join(folder, 'x.zip'))).toEqual({
    code: 1,
    said: `There is no file ${join(folder, 'x.zip')}.\n`,
  })
  expect(await campanile(folder, 'backup')).toEqual({ code: 1, said: 'Name one file.\n' })
  expect(await campanile(folder, 'bakcup')).toMatchObject({
    code: 2,
    said: expect.stringContaining('npm run campanile -- …'),
  })
  expect(await campanile(folder)).toMatchObject({ code: 0, said: expect.stringContaining('restore FILE [--replace]') })
})
