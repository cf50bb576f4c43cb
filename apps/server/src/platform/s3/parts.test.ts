import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startS3Server } from '../../test/s3-server.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import {
  besideFolder,
  createFolderParts,
  digestOf,
  FileGone,
  PartDamaged,
  PartGone,
  PartLengthWrong,
  type Parts,
  readBytes,
} from '../parts.ts'
import { createS3Parts } from './parts.ts'

let server: Awaited<ReturnType<typeof startS3Server>>
let store: ReturnType<typeof createS3Parts>
beforeAll(async () => {
  server = await startS3Server()
  store = createS3Parts(server.address)
})
afterAll(async () => {
  store.stop()
  await server.stop()
})

const newKey = () => randomBytes(16).toString('hex')
const mebibyte = 2 ** 20
/** The least an S3 server takes for a part that is not the last. */
const partBytes = 5 * mebibyte
const inChunks = async function* (bytes: Buffer, size = 100_001) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const wantedOf = (bytes: Buffer) => ({ bytes: bytes.length, md5: createHash('md5').update(bytes).digest('hex') })
const send = (to: Parts, key: string, part: number, bytes: Buffer) =>
  to.write(key, part, inChunks(bytes), wantedOf(bytes))
const farAhead = () => new Date(Date.now() + 3_600_000)

it('parts of any order and of two servers become one file, once, and are read from anywhere until they are removed', async () => {
  const other = createS3Parts(server.address)
  const bytes = randomBytes(11 * mebibyte)
  const layout = { key: newKey(), size: bytes.length, partBytes }
  const partOf = (part: number) => bytes.subarray(part * partBytes, (part + 1) * partBytes)
  await store.begin(layout.key)
  await Promise.all([send(other, layout.key, 2, partOf(2)), send(store, layout.key, 0, partOf(0))])
  await expect(store.settle(layout)).rejects.toMatchObject({ name: 'PartGone', part: 1 })
  // Sent twice before the end, what came last counts; the digest of the whole is taken after the end.
  await send(store, layout.key, 1, randomBytes(partBytes))
  await send(store, layout.key, 1, partOf(1))
  await Promise.all([store.settle(layout), other.settle(layout)])
  await store.settle(layout)
  expect(await digestOf(other, layout)).toEqual(createHash('sha256').update(bytes).digest())
  for (const [first, count] of [
    [0, 1],
    [partBytes - 1, 2],
    [partBytes - 10, partBytes + 20],
    [bytes.length - 10, 100],
  ] as const)
    expect((await readBytes(other, layout, first, count)).equals(bytes.subarray(first, first + count))).toBe(true)
  await expect(send(other, layout.key, 0, randomBytes(partBytes))).rejects.toThrow(FileGone)
  await store.remove(layout.key)
  await store.remove(layout.key)
  await expect(readBytes(store, layout, 0, 1)).rejects.toThrow(PartGone)
  await expect(store.settle(layout)).rejects.toThrow(PartGone)
  expect(await store.abandoned(farAhead())).toEqual([])
  other.stop()
})

it('a part that does not fit is no part, and one of a file that was given up is refused', async () => {
  const bytes = randomBytes(300_000)
  const layout = { key: newKey(), size: bytes.length, partBytes }
  await store.begin(layout.key)
  const write = (content: Buffer) => store.write(layout.key, 0, inChunks(content), wantedOf(bytes))
  await expect(write(randomBytes(bytes.length))).rejects.toThrow(PartDamaged)
  await expect(write(Buffer.concat([bytes, bytes]))).rejects.toThrow(PartLengthWrong)
  await expect(write(bytes.subarray(1))).rejects.toThrow(PartLengthWrong)
  await expect(store.settle(layout)).rejects.toThrow(PartGone)
  await store.remove(layout.key)
  await expect(write(bytes)).rejects.toThrow(FileGone)
})

it('what was begun and never finished is found by its age', async () => {
  const key = newKey()
  await store.begin(key)
  await send(store, key, 0, randomBytes(1000))
  expect(await store.abandoned(new Date(Date.now() - 3_600_000))).toEqual([])
  expect(await store.abandoned(farAhead())).toEqual([key])
  await store.remove(key)
  expect(await store.abandoned(farAhead())).toEqual([])
})

it('files that lie in the folder stay there, new ones go to the store', async () => {
  const folder = createFolderParts(await temporaryFolder())
  const both = besideFolder(folder, store)
  const put = async (into: Parts) => {
    const bytes = randomBytes(1000)
    const layout = { key: newKey(), size: bytes.length, partBytes }
    await into.begin(layout.key)
    await send(into, layout.key, 0, bytes)
    await into.settle(layout)
    return { layout, bytes }
  }
  const before = await put(folder)
  const after = await put(both)
  expect(await folder.has(after.layout.key)).toBe(false)
  for (const { layout, bytes } of [before, after]) {
    expect(await readBytes(both, layout, 0, 1000)).toEqual(bytes)
    await both.remove(layout.key)
    await expect(readBytes(both, layout, 0, 1)).rejects.toThrow(PartGone)
  }
})

it('a wrong secret or bucket stops the start with a sentence that holds no secret; a store that is away does not', async () => {
  await store.check()
  const checked = (change: object) => {
    const tried = createS3Parts({ ...server.address, ...change })
    return tried.check().finally(() => tried.stop())
  }
  const refused = await checked({ secretAccessKey: 'hunter2' }).catch((error: Error) => error)
  expect(String(refused)).toMatch(/CAMPANILE_FILES_URL: .* answers 403 SignatureDoesNotMatch .* check that it exists/)
  expect(JSON.stringify(refused) + String(refused)).not.toMatch(/hunter2|campanile:tester/)
  await expect(checked({ bucket: 'other' })).rejects.toThrow('404 NoSuchBucket')
  await checked({ endpoint: 'http://127.0.0.1:1' })
})
