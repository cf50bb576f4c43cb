import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchFile, sweepFetched } from './fetch.ts'
import { type FileServer, startFileServer } from './test/file-server.ts'
import { newFolder } from './test/folder.ts'

let folder: string
let server: FileServer
const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')
const file = { url: '/f', size: content.length, sha256, name: 'f.zip' }
const isWhole = async (path: string) => content.equals(await readFile(path))

beforeEach(async () => {
  folder = await newFolder('fetch')
  server = await startFileServer({ '/f': content })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
const shares: number[] = []
const fetchIt = (
  wanted: Partial<typeof file> = {},
  options: { bytesPerSecond?: number; isWanted?: () => boolean } = {},
) =>
  fetchFile(
    { ...file, ...wanted },
    {
      folder,
      serverUrl: server.url,
      isWanted: () => true,
      told: (share) => shares.push(share),
      ...options,
    },
  )

describe('a file is fetched', () => {
  it('whole, and not again', async () => {
    expect(await isWhole(await fetchIt())).toBe(true)
    expect(shares.at(-1)).toBe(1)
    await fetchIt()
    expect(server.asked).toEqual([undefined])
  })

  it('by the rest that is missing, however often the line breaks', async () => {
    server.cutAfter = 70_000
    expect(await isWhole(await fetchIt())).toBe(true)
    const offsets = server.asked.map((range) => Number(/\d+/.exec(range ?? '0')?.[0]))
    expect(offsets.length).toBeGreaterThan(4)
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
  }, 30_000)

  it('from the beginning when the server has another one meanwhile', async () => {
    await writeFile(join(folder, `${sha256}.part`), randomBytes(1000))
    await writeFile(join(folder, `${sha256}.part.tag`), '"of another"')
    expect(await isWhole(await fetchIt())).toBe(true)
    expect(server.asked).toEqual(['bytes=1000-'])
  })

  it('from the beginning when what was kept had been torn by a power cut', async () => {
    const torn = Buffer.from(content.subarray(0, 200_000))
    torn.fill(0, 150_000)
    await writeFile(join(folder, `${sha256}.part`), torn)
    await writeFile(join(folder, `${sha256}.part.tag`), server.tag)
    expect(await isWhole(await fetchIt())).toBe(true)
    expect(server.asked).toEqual(['bytes=200000-', undefined])
  })

  it('again after the server was busy', async () => {
    server.busy = 2
    expect(await isWhole(await fetchIt())).toBe(true)
  })

  it('no faster than it may', async () => {
    server.busy = 0
    const began = performance.now()
    await fetchIt({}, { bytesPerSecond: 600_000 })
    expect(performance.now() - began).toBeGreaterThan(400)
  })
})

describe('a file is refused', () => {
  it.each([
    ['of another digest', 'digestDiffers', { sha256: 'a'.repeat(64) }],
    ['longer than promised', 'sizeDiffers', { size: 1000 }],
    ['shorter than promised', 'sizeDiffers', { size: 400_000 }],
    ['whose link is over', 'linkExpired', { url: '/over' }],
    ['that is not there', 'downloadFailed: the server answers 404', { url: '/none' }],
    ['elsewhere than on the web', 'downloadFailed', { url: 'file:///etc/passwd' }],
    ['too large for the disk', 'notEnoughSpace', { size: 2 ** 50 }],
  ])('%s', async (_, reason, wanted) => {
    await expect(fetchIt(wanted)).rejects.toThrow(reason)
  })

  it('over a line that is not encrypted where the server is', async () => {
    const options = { folder, serverUrl: 'https://fleet.example', isWanted: () => true, told: () => {} }
    await expect(fetchFile({ ...file, url: `${server.url}/f` }, options)).rejects.toThrow('not encrypted')
    expect(server.asked).toEqual([])
  })

  it('once nobody waits for it any more; what has come stays for the next command', async () => {
    server.cutAfter = 70_000
    let chunks = 0
    await expect(fetchIt({}, { isWanted: () => ++chunks < 3 })).rejects.toThrow('downloadFailed')
    server.asked.length = 0
    await fetchIt()
    expect(server.asked[0]).toMatch(/^bytes=[1-9]/)
  }, 30_000)
})

it('forgets what nobody has asked for in a week', async () => {
  const path = await fetchIt()
  await sweepFetched(folder, Date.now() + 6 * 24 * 3_600_000)
  expect(await isWhole(path)).toBe(true)
  await sweepFetched(folder, Date.now() + 8 * 24 * 3_600_000)
  await expect(readFile(path)).rejects.toThrow('ENOENT')
})
