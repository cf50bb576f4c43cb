import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { OperatorError } from '../operator-error.ts'
import {
  FileGone,
  type Layout,
  PartDamaged,
  PartGone,
  PartLengthWrong,
  type Parts,
  partCount,
  partLength,
  type Span,
} from '../parts.ts'
import type { S3Address } from './address.ts'
import { createS3Client, S3Refusal } from './client.ts'

/** Joining thousands of parts may take a store minutes. */
const joiningMs = 600_000
/** A download that breaks off in the middle is gone on with so often. */
const resumes = 3
const remembered = 10_000

const isGone = (error: unknown) => error instanceof S3Refusal && error.status === 404

/** The content as it comes; its last piece only when the whole is as announced, so that a wrong part never becomes one. */
const checked = async function* (content: AsyncIterable<Buffer>, { bytes, md5 }: { bytes: number; md5: string }) {
  const hash = createHash('md5')
  let size = 0
  let held: Buffer | undefined
  for await (const chunk of content) {
    size += chunk.length
    if (size > bytes) throw new PartLengthWrong()
    hash.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (size !== bytes) throw new PartLengthWrong()
  if (hash.digest('hex') !== md5) throw new PartDamaged()
  if (held) yield held
}

/**
 * Files as objects of an S3-compatible store. An upload is a multipart upload there, found by its key, so nothing of it has to
 * be written down here; joining its parts is the one moment in which the object comes to be, and it never changes again.
 */
export const createS3Parts = (address: S3Address): Parts & { check(): Promise<void>; stop(): void } => {
  const client = createS3Client(address)
  const objectOf = (key: string) => `${address.prefix}${key}`
  const uploadIds = new Map<string, string>()
  const remember = (key: string, uploadId: string) => {
    if (uploadIds.size >= remembered) uploadIds.clear()
    uploadIds.set(key, uploadId)
    return uploadId
  }

  /** Uploads under way, of one key or of all. */
  const underWay = async function* (key = '') {
    const query: Record<string, string> = { uploads: '', prefix: objectOf(key) }
    for (;;) {
      const { top, each } = await client.told({ method: 'GET', query })
      for (const { Key = '', UploadId = '', Initiated = '' } of each)
        if (key === '' || Key === objectOf(key))
          yield { key: Key.slice(address.prefix.length), uploadId: UploadId, begun: new Date(Initiated) }
      if (top.IsTruncated !== 'true') return
      query['key-marker'] = top.NextKeyMarker ?? ''
      query['upload-id-marker'] = top.NextUploadIdMarker ?? ''
    }
  }
  const uploadIdOf = async (key: string): Promise<string | undefined> => {
    const known = uploadIds.get(key)
    if (known) return known
    for await (const { uploadId } of underWay(key)) return remember(key, uploadId)
    return undefined
  }

  const partsOf = async (key: string, uploadId: string) => {
    const found = new Map<number, { etag: string; bytes: number }>()
    const query: Record<string, string> = { uploadId }
    for (;;) {
      const { top, each } = await client.told({ method: 'GET', key: objectOf(key), query })
      for (const { PartNumber, ETag = '', Size } of each)
        found.set(Number(PartNumber) - 1, { etag: ETag, bytes: Number(Size) })
      if (top.IsTruncated !== 'true') return found
      query['part-number-marker'] = top.NextPartNumberMarker ?? ''
    }
  }

  const isThere = (key: string) =>
    client.open({ method: 'HEAD', key: objectOf(key) }).then(
      (answer) => {
        answer.resume()
        return true
      },
      (error: unknown) => {
        if (isGone(error)) return false
        throw error
      },
    )

  const join = async (layout: Layout, uploadId: string) => {
    const { key } = layout
    const found = await partsOf(key, uploadId)
    const named = Array.from({ length: partCount(layout) }, (_, part) => {
      const { etag, bytes } = found.get(part) ?? {}
      if (etag === undefined || bytes !== partLength(layout, part)) throw new PartGone(part)
      return `<Part><PartNumber>${part + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`
    })
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${named.join('')}</CompleteMultipartUpload>`
    const headers = { 'content-type': 'application/xml', 'content-length': String(Buffer.byteLength(body)) }
    await client.told({
      method: 'POST',
      key: objectOf(key),
      query: { uploadId },
      headers,
      body,
      silentMs: joiningMs,
    })
  }

  const readSpan = async function* ({ key, partBytes }: Layout, { first, last }: Span): AsyncGenerator<Buffer> {
    let at = first
    for (let broken = 0; at <= last; ) {
      const headers = { range: `bytes=${at}-${last}` }
      const answer = await client.open({ method: 'GET', key: objectOf(key), headers }).catch((error: unknown) => {
        throw isGone(error) ? new PartGone(Math.floor(at / partBytes)) : error
      })
      // A store that does not know spans would begin at the front.
      if (answer.statusCode !== 206) throw new S3Refusal('GET', answer.statusCode ?? 0, 'NoRange')
      try {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          at += chunk.length
          yield chunk
        }
        if (at <= last) throw new PartGone(Math.floor(at / partBytes))
      } catch (error) {
        if (error instanceof PartGone || ++broken > resumes) throw error
      }
    }
  }

  return {
    begin: async (key) => {
      const headers = { 'content-type': 'application/octet-stream', 'content-length': '0' }
      const { top } = await client.told({ method: 'POST', key: objectOf(key), query: { uploads: '' }, headers })
      remember(key, top.UploadId ?? '')
    },

    write: async (key, part, content, wanted) => {
      const uploadId = await uploadIdOf(key)
      if (uploadId === undefined) throw new FileGone()
      const headers = {
        'content-length': String(wanted.bytes),
        'content-md5': Buffer.from(wanted.md5, 'hex').toString('base64'),
      }
      const query = { partNumber: String(part + 1), uploadId }
      const body = Readable.from(checked(content, wanted), { objectMode: false })
      await client.told({ method: 'PUT', key: objectOf(key), query, headers, body }).catch((error: unknown) => {
        if (error instanceof S3Refusal && error.word === 'BadDigest') throw new PartDamaged()
        if (!isGone(error)) throw error
        uploadIds.delete(key)
        throw new FileGone()
      })
    },

    // Done before, here or by another server, the upload is gone and the object there.
    settle: async (layout) => {
      const uploadId = await uploadIdOf(layout.key)
      try {
        if (uploadId !== undefined) return await join(layout, uploadId)
      } catch (error) {
        if (!isGone(error)) throw error
      } finally {
        uploadIds.delete(layout.key)
      }
      if (!(await isThere(layout.key))) throw new PartGone(0)
    },

    read: (layout, span) => Readable.from(readSpan(layout, span), { objectMode: false }),

    remove: async (key) => {
      uploadIds.delete(key)
      const gone = (asked: { query?: Record<string, string> }) =>
        client.told({ method: 'DELETE', key: objectOf(key), ...asked }).catch((error: unknown) => {
          if (!isGone(error)) throw error
        })
      for await (const { uploadId } of underWay(key)) await gone({ query: { uploadId } })
      await gone({})
    },

    abandoned: async (before) => {
      const keys: string[] = []
      for await (const { key, begun } of underWay()) if (begun < before) keys.push(key)
      return keys
    },

    space: async () => undefined,

    /** Whether the bucket is there and ours, as far as that can be said now: a store that is away is waited for later. */
    check: async () => {
      await client.told({ method: 'GET', query: { uploads: '', 'max-uploads': '1' } }).catch((error: unknown) => {
        if (!(error instanceof S3Refusal)) return
        const { endpoint, bucket } = address
        throw new OperatorError(
          `CAMPANILE_FILES_URL: ${endpoint} answers ${error.status} ${error.word} for the bucket ${bucket}: check that it exists and that key, secret and region are right.`,
        )
      })
    },

    stop: () => client.stop(),
  }
}
