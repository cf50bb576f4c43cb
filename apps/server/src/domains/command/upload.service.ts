import { createHmac, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AppError,
  type CommandName,
  commandErrors,
  fileErrors,
  protocol,
  uploadCommandFile,
  uploadMaxBytes,
} from '@campanile/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db.ts'
import { FileTooLarge, type StoredFile } from '../../platform/files.ts'
import { type Picture, readPicture } from '../../platform/picture.ts'
import type { Services } from '../../services.ts'
import { insertDeviceFile } from '../file/index.ts'
import { readNumbers } from './message-id.ts'
import { type Awaiting, attachFile, findAwaiting, type Which } from './upload.store.ts'

/** Nothing came for this long: the device has gone. */
const quietMs = 60_000
/** Enough to find the size in a picture's own words, behind whatever its maker wrote before it. */
const headBytes = 256 * 1024
const megabyte = 1024 * 1024

/**
 * A token is worked out from the id a device was given and its serial, not stored: sent again, the message carries the same one, and
 * whoever reads the database learns none. It serves for one attempt of one command on one device.
 */
export const createUploadTokens = (signingKey: Buffer) => {
  const tokenOf = (sn: string, id: string) =>
    createHmac('sha256', signingKey).update(`upload ${sn} ${id}`).digest('base64url')
  return {
    /** What the message to the device says beside its arguments. */
    uploadFor: (command: string, sn: string, id: string): protocol.CommandMessage['upload'] => {
      if (uploadMaxBytes[command as CommandName] === undefined) return undefined
      return { url: uploadCommandFile.path.replace(':id', id), token: tokenOf(sn, id) }
    },
    fits: (given: unknown, sn: string, id: string) => {
      const wanted = Buffer.from(tokenOf(sn, id))
      const told = Buffer.from(typeof given === 'string' ? given : '')
      return told.length === wanted.length && timingSafeEqual(told, wanted)
    },
  }
}
export type UploadTokens = ReturnType<typeof createUploadTokens>

/** A name is shown and saved, never a path: the device's word without what could lead elsewhere. */
const nameOf = (header: string | undefined, fallback: string): string => {
  const told = /filename="([^"]*)"/.exec(header ?? '')?.[1] ?? ''
  const plain = told.replace(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^[. ]+/, '')
  return (plain || fallback).slice(-128)
}

const extensions: Record<Picture['type'], string> = { 'image/png': '.png', 'image/jpeg': '.jpg' }

export const createUploads = (
  services: Pick<Services, 'db' | 'files' | 'settings' | 'log'> & { tokens: UploadTokens },
) => {
  const { db, files, settings, log, tokens } = services
  /** Coming in right now: a token that is used twice at once fills the disk once. */
  const receiving = new Set<string>()

  const head = async (key: string): Promise<Buffer> => {
    const { stream } = await files.read(key)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= headBytes) break
    }
    return Buffer.concat(chunks)
  }

  const name = async (request: FastifyRequest, { command, sn }: Awaiting, { key }: StoredFile) => {
    const told = nameOf(request.headers['content-disposition'], `${command}-${sn}`)
    if (command !== 'screenshot') return told
    const picture = readPicture(await head(key))
    if (!picture || picture.width === 0 || picture.height === 0) throw new AppError(commandErrors.notPicture)
    return told.replace(/(\.\w{1,5})?$/, extensions[picture.type])
  }

  const store = async (request: FastifyRequest, which: Which, awaiting: Awaiting) => {
    const { command, sn, departmentId, creatorId } = awaiting
    const maxBytes = uploadMaxBytes[command] ?? 0
    const tooLarge = new AppError(fileErrors.fileTooLarge, { limit: `${maxBytes / megabyte} MB` })
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge
    if (!(request.body instanceof Readable)) throw new AppError(commandErrors.uploadNotWanted)
    request.raw.setTimeout(quietMs, () => request.raw.destroy())
    // A stream that is given up would take the connection with it, and the answer.
    const body = Readable.from(request.body.iterator({ destroyOnReturn: false }))
    const stored = await files.put(body, { maxBytes }).catch((error: unknown) => {
      throw error instanceof FileTooLarge ? tooLarge : error
    })
    try {
      const file = {
        name: await name(request, awaiting, stored),
        type: command === 'screenshot' ? ('screenshot' as const) : ('deviceLog' as const),
        sn,
        departmentId,
        creatorId,
        keepDays: await settings.get('exportKeepDays'),
        stored,
      }
      await db.transaction().execute(async (transaction) => {
        const tx = transaction as Db
        if (!(await attachFile(tx, which, await insertDeviceFile(tx, file))))
          throw new AppError(commandErrors.uploadNotWanted)
      })
    } catch (error) {
      await files.remove(stored.key).catch((err: unknown) => log.warn({ err }, 'a refused upload stays behind'))
      throw error
    }
    return { bytes: stored.size, sha256: stored.sha256.toString('hex') }
  }

  return {
    /** One file for one attempt of one command, from the device that was asked. */
    receive: async ({ input }: { input: { id: string } }, request: FastifyRequest) => {
      const which = readNumbers(input.id)
      const awaiting = which && (await findAwaiting(db, which))
      // A wrong token, an unknown command and another's command look the same from outside.
      if (!which || !awaiting || !tokens.fits(request.headers[protocol.uploadTokenHeader], awaiting.sn, input.id))
        throw new AppError(commandErrors.uploadRefused)
      if (!awaiting.open || receiving.has(input.id)) throw new AppError(commandErrors.uploadNotWanted)
      receiving.add(input.id)
      try {
        return await store(request, which, awaiting)
      } finally {
        receiving.delete(input.id)
      }
    },
  }
}
