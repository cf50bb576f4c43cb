import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { syncFolder } from '../data-folder.ts'
import { OperatorError } from '../operator-error.ts'

/** One ZIP file. `manifest.json` comes last and holds the SHA-256 of every other entry; `manifest.sha256` its own. */
const manifestName = 'manifest.json'
const manifestSum = 'manifest.sha256'

export interface Summed {
  sha256: string
  bytes: number
}

export interface ArchiveWriter {
  /** One entry after the other: resolves when the stream has been written to its end. */
  add(name: string, content: Readable, options?: { compress?: boolean }): Promise<void>
  finish(manifest: object): Promise<void>
  abandon(): Promise<void>
}

/** Appears under its name only when complete, readable by its owner alone: keys and password hashes are inside. */
export function createArchive(path: string): ArchiveWriter {
  const half = `${path}.partial`
  const zip = new yazl.ZipFile()
  const sums: Record<string, Summed> = {}
  const output = createWriteStream(half, { mode: 0o600 })
  const written = pipeline(zip.outputStream, output)
  written.catch(() => undefined)
  zip.on('error', (error) => output.destroy(error))

  return {
    async add(name, content, { compress = true } = {}) {
      const { tap, sum } = summing()
      const options = { compress, ...(compress ? { compressionLevel: 1 } : {}) }
      zip.addReadStreamLazy(name, options, (give) => give(null, tap))
      // A full disk ends the writing, not the entry: wait for whichever comes first.
      await Promise.race([pipeline(content, tap), written.then(() => Promise.reject(new Error('closed too early')))])
      sums[name] = sum()
    },
    async finish(manifest) {
      const text = Buffer.from(JSON.stringify({ ...manifest, entries: sums }))
      zip.addBuffer(text, manifestName)
      zip.addBuffer(Buffer.from(createHash('sha256').update(text).digest('hex')), manifestSum)
      zip.end()
      await written
      const file = await open(half, 'r')
      await file.sync().finally(() => file.close())
      await rename(half, path)
      await syncFolder(dirname(path))
    },
    async abandon() {
      output.destroy()
      await written.catch(() => undefined)
      await rm(half, { force: true })
    },
  }
}

function summing(): { tap: Transform; sum(): Summed } {
  const hash = createHash('sha256')
  let bytes = 0
  const tap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { tap, sum: () => ({ sha256: hash.digest('hex'), bytes }) }
}

export interface ArchiveReader<Manifest> {
  manifest: Manifest & { entries: Record<string, Summed> }
  read(name: string): Promise<Readable>
  close(): void
}

/** Opens an archive and reads it to the end once: nothing is touched before every byte is known to be good. */
export async function openArchive<Manifest>(path: string): Promise<ArchiveReader<Manifest>> {
  const damaged = () => new OperatorError(`${path} is damaged or not a backup of Campanile: nothing was changed.`)
  const zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true }).catch((error) => {
    throw error.code === 'ENOENT' ? new OperatorError(`There is no file ${path}.`) : damaged()
  })
  try {
    const entries = new Map<string, yauzl.Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const read = async (name: string): Promise<Readable> => {
      const entry = entries.get(name)
      if (!entry) throw damaged()
      return zip.openReadStreamPromise(entry)
    }
    const text = await textOf(await read(manifestName))
    if (createHash('sha256').update(text).digest('hex') !== (await textOf(await read(manifestSum)))) throw damaged()
    const manifest = JSON.parse(text) as ArchiveReader<Manifest>['manifest']
    for (const [name, { sha256 }] of Object.entries(manifest.entries)) {
      if ((await digest(await read(name))) !== sha256) throw damaged()
    }
    return { manifest, read, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error instanceof OperatorError ? error : damaged()
  }
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function digest(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  stream.on('data', (chunk) => hash.update(chunk))
  await finished(stream)
  return hash.digest('hex')
}
