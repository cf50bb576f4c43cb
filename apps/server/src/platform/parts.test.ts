import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import {
  createFolderParts,
  digestOf,
  FileGone,
  PartDamaged,
  PartGone,
  PartLengthWrong,
  readBytes,
  slicesOf,
} from './parts.ts'

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const inChunks = async function* (bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

it('a span is cut where parts meet', () => {
  expect([...slicesOf({ partBytes: 10 }, { first: 5, last: 25 })]).toEqual([
    { part: 0, from: 5, bytes: 5 },
    { part: 1, from: 0, bytes: 10 },
    { part: 2, from: 0, bytes: 6 },
  ])
  expect([...slicesOf({ partBytes: 10 }, { first: 10, last: 10 })]).toEqual([{ part: 1, from: 0, bytes: 1 }])
})

it('what was written in parts is read as one, from anywhere', async () => {
  const parts = createFolderParts(await temporaryFolder())
  const bytes = randomBytes(3_000_000)
  const layout = { key: parts.newKey(), size: bytes.length, partBytes: 1_300_000 }
  await parts.begin(layout.key)
  for (const part of [2, 0, 1]) {
    const own = bytes.subarray(part * layout.partBytes, (part + 1) * layout.partBytes)
    await parts.write(layout.key, part, inChunks(own, 70_001), { bytes: own.length, md5: md5(own) })
  }
  expect(await digestOf(parts, layout)).toEqual(createHash('sha256').update(bytes).digest())
  // Compared by the buffers themselves: the matcher goes through a million numbers one by one.
  for (const [first, count] of [
    [0, 1],
    [1_299_999, 2],
    [1_299_990, 1_300_020],
    [2_999_990, 100],
    [3_000_000, 5],
  ] as const)
    expect((await readBytes(parts, layout, first, count)).equals(bytes.subarray(first, first + count))).toBe(true)
  // Several at once, who share what they read.
  const spans = [
    [0, 2_999_999],
    [0, 2_999_999],
    [262_143, 262_144],
    [1_299_999, 2_700_000],
  ] as const
  const all = await Promise.all(
    spans.map(async ([first, last]) => {
      const chunks: Buffer[] = []
      for await (const chunk of parts.read(layout, { first, last }, 'shared') as AsyncIterable<Buffer>)
        chunks.push(chunk)
      return Buffer.concat(chunks).equals(bytes.subarray(first, last + 1))
    }),
  )
  expect(all).toEqual(spans.map(() => true))
  await parts.remove(layout.key)
  const gone = parts.read(layout, { first: 0, last: 9 }, 'shared').toArray()
  await expect(gone).rejects.toThrow(PartGone)
})

it('a part that does not fit leaves nothing, and one that is there stays as it is', async () => {
  const folder = await temporaryFolder()
  const parts = createFolderParts(folder)
  const key = parts.newKey()
  await parts.begin(key)
  const bytes = randomBytes(1000)
  const wanted = { bytes: 1000, md5: md5(bytes) }
  const write = (content: Buffer) => parts.write(key, 0, inChunks(content, 300), wanted)
  const lying = async () => (await readdir(join(folder, key.slice(0, 2), `${key}.parts`))).sort()
  await expect(write(randomBytes(1000))).rejects.toThrow(PartDamaged)
  await expect(write(Buffer.concat([bytes, bytes]))).rejects.toThrow(PartLengthWrong)
  await expect(write(bytes.subarray(1))).rejects.toThrow(PartLengthWrong)
  expect(await lying()).toEqual([])
  await write(bytes)
  const other = randomBytes(1000)
  await parts.write(key, 0, inChunks(other, 300), { bytes: 1000, md5: md5(other) })
  expect(await lying()).toEqual(['0'])
  const layout = { key, size: 2000, partBytes: 1000 }
  expect(await readBytes(parts, layout, 0, 1000)).toEqual(bytes)
  await expect(readBytes(parts, layout, 0, 2000)).rejects.toThrow(PartGone)
  await parts.remove(key)
  await parts.remove(key)
  // Nothing comes back to life where a file was given up.
  await expect(write(bytes)).rejects.toThrow(FileGone)
})
