import { createHash, randomBytes } from 'node:crypto'
import { access, type FileHandle, link, mkdir, open as openFile, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { syncFolder } from './data-folder.ts'
import { createSharedBlocks } from './shared-blocks.ts'

/** Its bytes are not those that were announced. */
export class PartDamaged extends Error {
  override readonly name = 'PartDamaged'
}
/** It is longer or shorter than it must be. */
export class PartLengthWrong extends Error {
  override readonly name = 'PartLengthWrong'
}
/** It should lie there and does not. */
export class PartGone extends Error {
  override readonly name = 'PartGone'
  readonly part: number
  constructor(part: number) {
    super(`part ${part} is not there`)
    this.part = part
  }
}

/** What should be written to was given up, or is finished. */
export class FileGone extends Error {
  override readonly name = 'FileGone'
}

/** How a file lies in its parts: all of the same length but the last. */
export interface Layout {
  readonly key: string
  readonly size: number
  readonly partBytes: number
}
export const partCount = ({ size, partBytes }: Pick<Layout, 'size' | 'partBytes'>) => Math.ceil(size / partBytes)
export const partLength = ({ size, partBytes }: Pick<Layout, 'size' | 'partBytes'>, part: number) =>
  Math.min(partBytes, size - part * partBytes)

/** First and last byte, both included. */
export interface Span {
  readonly first: number
  readonly last: number
}
export const wholeOf = ({ size }: Pick<Layout, 'size'>): Span => ({ first: 0, last: size - 1 })

interface SlicedSpan {
  readonly part: number
  readonly from: number
  readonly bytes: number
}
/** Which bytes of which parts a span is. */
export const slicesOf = function* (
  { partBytes }: Pick<Layout, 'partBytes'>,
  { first, last }: Span,
): Generator<SlicedSpan> {
  for (let at = first; at <= last; ) {
    const part = Math.floor(at / partBytes)
    const end = Math.min(last + 1, (part + 1) * partBytes)
    yield { part, from: at - part * partBytes, bytes: end - at }
    at = end
  }
}

/** Where files that come in parts are kept: in folders here, or in a store of objects (s3/parts.ts). */
export interface Parts {
  /** Makes room for a file under a key from `newKey`. */
  begin(key: string): Promise<void>
  /** Takes one part. It is there whole or not at all. */
  write(
    key: string,
    part: number,
    content: AsyncIterable<Buffer>,
    wanted: { bytes: number; md5: string },
  ): Promise<void>
  /** After the last part, as often as asked: from here on they survive a power cut, and nothing changes them. */
  settle(layout: Layout): Promise<void>
  /** Of what is settled. `shared` where others are likely to read the same at this time, and it has been examined before. */
  read(layout: Layout, span: Span, manner?: 'shared'): Readable
  remove(key: string): Promise<void>
  /** Keys that were begun before then and never settled, where the store itself knows of them. */
  abandoned(before: Date): Promise<string[]>
  /** Bytes that may still be written; nothing where that is not known. */
  space(): Promise<number | undefined>
}

const keyShape = /^[0-9a-f]{32}$/
/** Few and large writes: each costs a turn of the event loop. */
const writtenAtOnce = 1024 * 1024
const readAtOnce = 256 * 1024
/** 32 MiB of blocks. */
const sharedBlocks = 128

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
const goneIfMissing = (error: unknown): never => {
  throw isMissing(error) ? new FileGone() : error
}

export interface FolderParts extends Parts {
  newKey(): string
  /** Whether a file lies here. */
  has(key: string): Promise<boolean>
}

/** Each part is a file in a folder of its key: they are written side by side, and nothing is copied when the last has come. */
export const createFolderParts = (folder: string): FolderParts => {
  const newKey = () => randomBytes(16).toString('hex')
  const folderOf = (key: string) => {
    if (!keyShape.test(key)) throw new TypeError('not a key of the file store')
    return join(folder, key.slice(0, 2), `${key}.parts`)
  }

  const blocks = createSharedBlocks(sharedBlocks)

  /** One part of a file, opened when something of it is needed. */
  const openPart = (key: string, part: number) => {
    let opened: Promise<FileHandle> | undefined
    const open = () =>
      openFile(join(folderOf(key), String(part)), 'r').catch((error: unknown) => {
        throw isMissing(error) ? new PartGone(part) : error
      })
    return {
      read: async (from: number, bytes: number): Promise<Buffer> => {
        opened ??= open()
        const handle = await opened
        const buffer = Buffer.allocUnsafeSlow(bytes)
        for (let done = 0; done < bytes; ) {
          const { bytesRead } = await handle.read(buffer, done, bytes - done, from + done)
          if (bytesRead === 0) throw new PartGone(part)
          done += bytesRead
        }
        return buffer
      },
      close: async () => {
        // What could not be opened has been told.
        const handle = await opened?.catch(() => undefined)
        await handle?.close()
      },
    }
  }

  const readSlices = async function* (layout: Layout, span: Span, isShared: boolean): AsyncGenerator<Buffer> {
    for (const { part, from, bytes } of slicesOf(layout, span)) {
      const opened = openPart(layout.key, part)
      const end = from + bytes
      try {
        for (let at = from; at < end; ) {
          // Those that are shared begin where everybody's do.
          const start = isShared ? at - (at % readAtOnce) : at
          const length = Math.min(readAtOnce, (isShared ? partLength(layout, part) : end) - start)
          const read = () => opened.read(start, length)
          const block = await (isShared ? blocks.get(`${layout.key}/${part}/${start}`, read) : read())
          yield block.subarray(at - start, end - start)
          at = start + length
        }
      } finally {
        await opened.close()
      }
    }
  }

  const parts: FolderParts = {
    newKey,

    has: (key) =>
      access(folderOf(key)).then(
        () => true,
        () => false,
      ),

    begin: async (key) => {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 })
    },

    write: async (key, part, content, { bytes, md5 }) => {
      const path = join(folderOf(key), String(part))
      const half = `${path}.${parts.newKey()}.part`
      const handle = await openFile(half, 'w', 0o600).catch(goneIfMissing)
      const hash = createHash('md5')
      let size = 0
      let held: Buffer[] = []
      let weight = 0
      const flush = async () => {
        const chunks = held
        held = []
        weight = 0
        if (chunks.length > 0)
          await handle.writeFile(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
      }
      try {
        for await (const chunk of content) {
          size += chunk.length
          if (size > bytes) throw new PartLengthWrong()
          hash.update(chunk)
          held.push(chunk)
          weight += chunk.length
          if (weight >= writtenAtOnce) await flush()
        }
        await flush()
        if (size !== bytes) throw new PartLengthWrong()
        if (hash.digest('hex') !== md5) throw new PartDamaged()
        await handle.datasync()
        // Under its name only if nobody was first: what has been counted as arrived is never written again.
        await link(half, path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') goneIfMissing(error)
        })
      } finally {
        await handle.close()
        await rm(half, { force: true })
      }
    },

    settle: async ({ key }) => {
      await syncFolder(folderOf(key))
      await syncFolder(dirname(folderOf(key)))
    },

    read: (layout, span, manner) =>
      Readable.from(readSlices(layout, span, manner === 'shared'), { objectMode: false, highWaterMark: readAtOnce }),

    // A part that is still coming in may put its name there meanwhile.
    remove: async (key) => {
      await rm(folderOf(key), { recursive: true, force: true, maxRetries: 3 })
      blocks.forget(key)
    },

    // A folder that was begun and forgotten holds nothing.
    abandoned: async () => [],

    space: async () => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
  return parts
}

/** New files go to the store, and those that came before it was there stay where they are. */
export const besideFolder = (folder: FolderParts, store: Parts): Parts => {
  const placeOf = async (key: string) => ((await folder.has(key)) ? folder : store)
  return {
    ...store,
    write: async (key, ...part) => (await placeOf(key)).write(key, ...part),
    settle: async (layout) => (await placeOf(layout.key)).settle(layout),
    read: (layout, span, manner) => {
      const bytes = async function* () {
        yield* (await placeOf(layout.key)).read(layout, span, manner)
      }
      return Readable.from(bytes(), { objectMode: false, highWaterMark: readAtOnce })
    },
    remove: async (key) => (await placeOf(key)).remove(key),
  }
}

/** As many bytes as asked for, or fewer at the end. */
export const readBytes = async (parts: Pick<Parts, 'read'>, layout: Layout, first: number, bytes: number) => {
  const last = Math.min(layout.size, first + bytes) - 1
  if (last < first) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  for await (const chunk of parts.read(layout, { first, last }) as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** SHA-256 of the whole, read once from front to end. */
export const digestOf = async (parts: Pick<Parts, 'read'>, layout: Layout): Promise<Buffer> => {
  const hash = createHash('sha256')
  for await (const chunk of parts.read(layout, wholeOf(layout)) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest()
}
