/**
 * One large file sent in parts as the console sends them, four at a time, against writing the same bytes with a Node stream
 * and syncing them; and how much more memory the server takes meanwhile. `MIB=512` sends less.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { figure, machine } from './installation.ts'
import { startProduct } from './product.ts'

const mebibyte = 2 ** 20
const mebibytes = Number(process.env.MIB ?? 2048)
const size = mebibytes * mebibyte
const atOnce = 4
/** One block of noise, told apart by its number: no two parts are the same, and making them costs nothing. */
const noise = randomBytes(8 * mebibyte)

const partOf = (part: number, bytes: number) => {
  const own = Buffer.from(noise.subarray(0, bytes))
  own.writeUInt32BE(part)
  return own
}

interface Told {
  id: number
  chunkSize: number
  chunkCount: number
}

const product = await startProduct({ profile: process.env.PROFILE })
const folder = await mkdtemp(join(tmpdir(), 'campanile-bench-upload-'))
try {
  const lengthOf = (part: number) => Math.min(noise.length, size - part * noise.length)
  const numbers = Array.from({ length: Math.ceil(size / noise.length) }, (_, part) => part)

  const whole = createHash('sha256')
  const sums: string[] = []
  for (const part of numbers) {
    const bytes = partOf(part, lengthOf(part))
    whole.update(bytes)
    sums.push(createHash('md5').update(bytes).digest('hex'))
  }

  const writing = performance.now()
  const path = join(folder, 'plain')
  const blocks = function* () {
    for (const part of numbers) yield partOf(part, lengthOf(part))
  }
  await pipeline(Readable.from(blocks()), createWriteStream(path))
  const handle = await open(path, 'r+')
  await handle.sync()
  await handle.close()
  const plain = (performance.now() - writing) / 1000
  await rm(path)

  const client = await product.signIn()
  const call = <T>(path: string, body: object) => client.call<T>('POST', `/api/v3/file/upload/${path}`, { body })
  // A small one first: what the first call of its kind needs is not the file's.
  const small = Buffer.from('first')
  const first = await call<Told>('begin', {
    purpose: 'resource',
    name: 'first.bin',
    size: small.length,
    sha256: createHash('sha256').update(small).digest('hex'),
  })
  const md5 = createHash('md5').update(small).digest('hex')
  await client.put('/api/v3/file/upload/part', small, { query: { id: first.id, part: 0, md5 } })
  await call('finish', { id: first.id })

  const before = product.memory().server
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, product.memory().server)
  }, 100)
  const usedBefore = product.used()
  const start = performance.now()
  const begun = await call<Told>('begin', { purpose: 'resource', name: 'large.bin', size, sha256: whole.digest('hex') })
  if (begun.chunkSize !== noise.length) throw new Error('parts have another length than this bench makes')
  const waiting = [...numbers]
  const send = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift())
      await client.put('/api/v3/file/upload/part', partOf(part, lengthOf(part)), {
        query: { id: begun.id, part, md5: sums[part] as string },
      })
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  const sent = (performance.now() - start) / 1000
  await client.call('POST', '/api/v3/file/upload/finish', { body: { id: begun.id }, timeout: 600_000 })
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  const used = product.used()

  console.log(`${machine()}\n${mebibytes} MiB in ${begun.chunkCount} parts, ${atOnce} at a time\n`)
  console.log(
    '| MiB/s | of this finishing, s | written alone, MiB/s | ratio | server, s of processor | extra memory at its peak, MiB |\n|---|---|---|---|---|---|',
  )
  console.log(
    `| ${figure(mebibytes / seconds, 0)} | ${figure(seconds - sent)} | ${figure(mebibytes / plain, 0)} | ${figure(plain / seconds, 2)} | ${figure(used.server - usedBefore.server)} | ${figure(peak - before, 0)} |`,
  )
} finally {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
