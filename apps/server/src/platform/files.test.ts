import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFiles, FileTooLarge } from './files.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'campanile-files-')), 'files')
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const everything = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
const content = Buffer.from('some content '.repeat(10_000))
const chunks = () => Readable.from([content.subarray(0, 1000), content.subarray(1000)])

test('what was put is read back, with its size and its hash', async () => {
  const files = createFiles(folder)
  await files.start()
  const stored = await files.put(chunks(), { maxBytes: content.length })
  expect(stored).toEqual({
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
    size: content.length,
    sha256: createHash('sha256').update(content).digest(),
  })
  const { stream, size } = await files.read(stored.key)
  expect(size).toBe(content.length)
  expect(await buffer(stream)).toEqual(content)
})

test('nobody else on the machine can read it', async () => {
  const files = createFiles(folder)
  await files.start()
  const { key } = await files.put(chunks(), { maxBytes: content.length })
  expect((await stat(join(folder, key.slice(0, 2), key))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('one byte too many leaves nothing behind', async () => {
  const files = createFiles(folder)
  await files.start()
  await expect(files.put(chunks(), { maxBytes: content.length - 1 })).rejects.toThrow(FileTooLarge)
  expect(await everything()).toEqual([])
})

test('a source that breaks and a caller who gives up leave nothing behind', async () => {
  const files = createFiles(folder)
  await files.start()
  const broken = Readable.from(
    (async function* () {
      yield content
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    })(),
  )
  await expect(files.put(broken, { maxBytes: 1e9 })).rejects.toThrow('no space left')
  const controller = new AbortController()
  controller.abort(new Error('stopped'))
  await expect(files.put(chunks(), { maxBytes: 1e9, signal: controller.signal })).rejects.toThrow('stopped')
  expect(await everything()).toEqual([])
})

test.runIf(existsSync('/dev/full'))(
  'a full disk is said as such, leaves nothing behind, and the next try works',
  async () => {
    const files = createFiles(folder)
    await files.start()
    const key = files.newKey()
    await mkdir(join(folder, key.slice(0, 2)), { recursive: true })
    await symlink('/dev/full', join(folder, key.slice(0, 2), `${key}.part`))
    await expect(files.put(chunks(), { maxBytes: 1e9, key })).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await everything()).toEqual([])
    await expect(files.read(key)).rejects.toThrow('ENOENT')
    await files.put(chunks(), { maxBytes: 1e9, key })
    expect(await buffer((await files.read(key)).stream)).toEqual(content)
  },
)

test('a second try under the same key replaces the first', async () => {
  const files = createFiles(folder)
  await files.start()
  const key = files.newKey()
  await files.put(Readable.from([Buffer.from('half')]), { maxBytes: 100, key })
  await files.put(Readable.from([Buffer.from('whole')]), { maxBytes: 100, key })
  expect(String(await buffer((await files.read(key)).stream))).toBe('whole')
  expect(await everything()).toEqual([key])
})

test.each(['../../etc/passwd', '', 'a'.repeat(31), 'ABCDEF00112233445566778899aabbcc', `${'a'.repeat(32)}/../x`])(
  'no name from outside becomes a path: %s',
  async (name) => {
    const files = createFiles(folder)
    await files.start()
    await expect(files.read(name)).rejects.toThrow(TypeError)
    await expect(files.remove(name)).rejects.toThrow(TypeError)
  },
)

test('removing twice is fine, reading what is gone is not', async () => {
  const files = createFiles(folder)
  await files.start()
  const { key } = await files.put(chunks(), { maxBytes: content.length })
  await files.remove(key)
  await files.remove(key)
  await expect(files.read(key)).rejects.toThrow('ENOENT')
})

test('a start clears away what a crash left, but not what another server may be writing', async () => {
  await mkdir(join(folder, 'ab'), { recursive: true })
  const old = join(folder, 'ab', `${'ab'.repeat(16)}.part`)
  const fresh = join(folder, 'ab', `${'ac'.repeat(16)}.part`)
  await writeFile(old, 'x')
  await writeFile(fresh, 'x')
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  await utimes(old, twoDaysAgo, twoDaysAgo)
  await createFiles(folder).start()
  expect(await everything()).toEqual([`${'ac'.repeat(16)}.part`])
})
