import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  AppError,
  commandErrors,
  commandSpec,
  fileErrors,
  mostMegapixels,
  protocol,
  uploadCommandFile,
} from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import type { Sent } from '../../kit/upload/index.ts'
import { FileTooLarge, type StoredFile } from '../../platform/files.ts'
import { type Picture, readPicture } from '../../platform/picture.ts'
import type { Services } from '../../services.ts'
import { insertDeviceFile } from '../file/index.ts'
import { readNumbers } from './message-id.ts'
import { type Awaiting, attachFile, findAwaiting, findKept, lockAwaiting, type Which } from './upload.store.ts'

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
      if (commandSpec(command)?.fileMaxBytes === undefined) return undefined
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

interface Received {
  readonly which: Which
  readonly awaiting: Awaiting
  readonly name: string
  readonly stored: StoredFile
}

const isShowable = ({ width, height }: Picture) => width > 0 && height > 0 && width * height <= mostMegapixels * 1e6

export const createUploads = (
  services: Pick<Services, 'db' | 'files' | 'settings' | 'log'> & { tokens: UploadTokens },
) => {
  const { db, files, settings, log, tokens } = services
  /**
   * Coming in right now: a token that is used twice at once fills the disk once. The newest counts, because the one before it
   * may hang on a line that its device knows to be dead.
   */
  const receiving = new Map<string, Readable>()

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

  const name = async (told: string | undefined, { command, sn }: Awaiting, { key }: StoredFile) => {
    const plain = nameOf(told, `${command}-${sn}`)
    if (command !== 'screenshot') return plain
    const picture = readPicture(await head(key))
    if (!picture || !isShowable(picture)) throw new AppError(commandErrors.notPicture)
    return plain.replace(/(\.\w{1,5})?$/, extensions[picture.type])
  }

  const store = async ({ headers, body }: Sent, awaiting: Awaiting) => {
    const maxBytes = commandSpec(awaiting.command)?.fileMaxBytes ?? 0
    const tooLarge = new AppError(fileErrors.fileTooLarge, { limit: `${maxBytes / megabyte} MB` })
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge
    const stored = await files.put(body, { maxBytes }).catch((error: unknown) => {
      throw error instanceof FileTooLarge ? tooLarge : error
    })
    try {
      return { stored, name: await name(headers['content-disposition'], awaiting, stored) }
    } catch (error) {
      await discard({ stored })
      throw error
    }
  }

  const discard = ({ stored }: Pick<Received, 'stored'>) =>
    files.remove(stored.key).catch((err: unknown) => log.warn({ err }, 'a refused upload stays behind'))

  /** A device whose confirmation was lost sends its file again; what differs in size is another file. */
  const mayBeKept = async (which: Which, { headers }: Sent): Promise<boolean> => {
    const kept = await findKept(db, which)
    return kept !== undefined && Number(headers['content-length'] ?? kept.size) === kept.size
  }

  return {
    /** One file for one attempt of one command, from the device that was asked. Nothing is held while it comes. */
    receive: async ({ id }: { id: string }, sent: Sent): Promise<Received> => {
      const which = readNumbers(id)
      const awaiting = which && (await findAwaiting(db, which))
      // A wrong token, an unknown command and another's command look the same from outside.
      if (!which || !awaiting || !tokens.fits(sent.headers[protocol.uploadTokenHeader], awaiting.sn, id))
        throw new AppError(commandErrors.uploadRefused)
      if (!awaiting.open && !(await mayBeKept(which, sent))) throw new AppError(commandErrors.uploadNotWanted)
      receiving.get(id)?.destroy(new AppError(commandErrors.uploadNotWanted))
      receiving.set(id, sent.body)
      // It may be ended before anybody reads it; whoever reads it then is told by the stream itself.
      sent.body.on('error', () => undefined)
      try {
        return { which, awaiting, ...(await store(sent, awaiting)) }
      } finally {
        if (receiving.get(id) === sent.body) receiving.delete(id)
      }
    },
    discard,
    /** The command names its file, unless it has one or has ended meanwhile. */
    attach: async ({ db: tx, afterCommit }: Pick<Call, 'db' | 'afterCommit'>, received: Received) => {
      const { which, awaiting, name, stored } = received
      const answer = { bytes: stored.size, sha256: stored.sha256.toString('hex') }
      if (await lockAwaiting(tx, which)) {
        const { command, sn, departmentId, creatorId } = awaiting
        const type = command === 'screenshot' ? 'screenshot' : 'deviceLog'
        const keepDays = await settings.get('exportKeepDays')
        const file = await insertDeviceFile(tx, { name, type, sn, departmentId, creatorId, keepDays, stored })
        await attachFile(tx, which, file)
        return answer
      }
      const kept = await findKept(tx, which)
      if (!kept?.sha256.equals(stored.sha256)) throw new AppError(commandErrors.uploadNotWanted)
      afterCommit(() => discard(received))
      return answer
    },
  }
}
