import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Span } from '../../platform/parts.ts'
import { asAttachment } from './download.ts'

/**
 * The bytes a `Range` asks for (RFC 9110): nothing where it asks for all of them or in a way we need not understand, such as
 * for several spans at once; `'outside'` where there are no such bytes.
 */
export const readRange = (header: string | undefined, size: number): Span | 'outside' | undefined => {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  if (from === '') return Number(to) === 0 ? 'outside' : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'outside' : { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

export interface Kept {
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly read: (span: Span) => Readable
}

/** A file to be saved, whole or from where somebody stopped. It never changes, so its SHA-256 is its tag. */
export const sendKept = (reply: FastifyReply, { name, size, sha256, read }: Kept): FastifyReply => {
  const { headers } = reply.request
  const tag = `"${sha256}"`
  asAttachment(reply, name).header('etag', tag).header('accept-ranges', 'bytes')
  if (headers['if-none-match']?.split(/\s*,\s*/).some((each) => each === tag || each === `W/${tag}`))
    return reply.status(304).send()
  // What somebody holds of another file does not go together with the rest of this one.
  const goesOn = headers['if-range'] === undefined || headers['if-range'] === tag
  const span = goesOn ? readRange(headers.range, size) : undefined
  if (span === 'outside') return reply.status(416).header('content-range', `bytes */${size}`).send()
  if (!span) return reply.header('content-length', size).send(read({ first: 0, last: size - 1 }))
  return reply
    .status(206)
    .header('content-range', `bytes ${span.first}-${span.last}/${size}`)
    .header('content-length', span.last - span.first + 1)
    .send(read(span))
}
