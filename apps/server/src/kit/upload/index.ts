import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { AppError, commonErrors, fileErrors } from '@campanile/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '../call.ts'
import { fileOf, partsOverhead } from './multipart.ts'

/** A body that is a file by itself, not read yet. */
export interface Sent {
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

/** A file of a form, read into memory, or a body that the room reads by itself. */
export type Upload = (
  | { readonly maxBytes: number; readonly read: (file: Buffer, language: Language) => unknown }
  | { readonly receive: (input: never, sent: Sent, actor: never) => unknown }
) & { readonly discard?: (content: never) => unknown }

/** One person's files that may come at the same time: each is held in memory until it is whole. */
const mostAtOnce = 4

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
const missing = () => new AppError({ ...commonErrors.missingParameter, field: 'file' }, { field: 'file' })

const bytesOf = async (body: Readable, maxBytes: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

interface Receiving {
  readonly input: unknown
  readonly language: Language
  /** Waited for once the file is whole and before it is read: whoever sends slowly keeps nobody waiting, not even themselves. */
  readonly takeTurn: () => Promise<void>
}

/**
 * Reads what is sent to routes that take a file. Whoever calls this holds nothing that others wait for: no connection of
 * the database, no transaction. How long a sender may take is in platform/body-pace.ts.
 */
export const createReceiver = (app: FastifyInstance) => {
  const receiving = new Map<number, number>()

  app.addContentTypeParser('multipart/form-data', (request, body, done) =>
    request.routeOptions.config.upload ? done(null, body) : done(new AppError(commonErrors.unreadableBody), undefined),
  )

  const fileFrom = async (request: FastifyRequest, maxBytes: number): Promise<Buffer> => {
    const { body, headers } = request
    const contentType = headers['content-type'] ?? ''
    if (!(body instanceof Readable) || !contentType.startsWith('multipart/form-data')) throw missing()
    const tooLarge = () => new AppError(fileErrors.fileTooLarge, { limit: megabytes(maxBytes) })
    const mostBytes = maxBytes + partsOverhead
    if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
    const bytes = await bytesOf(body, mostBytes)
    if (!bytes) throw tooLarge()
    const file = fileOf(bytes, contentType)
    if (file.length > maxBytes) throw tooLarge()
    return file
  }

  return async (
    upload: Upload,
    request: FastifyRequest,
    { input, language, takeTurn }: Receiving,
  ): Promise<unknown> => {
    if ('receive' in upload) {
      if (!(request.body instanceof Readable)) throw missing()
      return upload.receive(input as never, { headers: request.headers, body: request.body }, request.actor as never)
    }
    const person = request.actor?.id ?? 0
    const before = receiving.get(person) ?? 0
    if (before >= mostAtOnce) throw new AppError(commonErrors.tooFrequent)
    receiving.set(person, before + 1)
    try {
      const file = await fileFrom(request, upload.maxBytes)
      await takeTurn()
      return await upload.read(file, language)
    } finally {
      const left = (receiving.get(person) ?? 1) - 1
      if (left === 0) receiving.delete(person)
      else receiving.set(person, left)
    }
  }
}
