import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent, writePrivate } from '../identity.ts'
import { digestOf, needSpace, sizeOf, syncFolder } from './disk.ts'
import { asFault, UpdateFailed } from './fault.ts'

/** A file of a command: where it is, and by what it is told that it is the right one. */
export interface FileToFetch {
  readonly url: string
  readonly size: number
  readonly sha256: string
  readonly name: string
}

export interface FetchOptions {
  /** Where what has come is kept, over restarts and over commands: the digest names it. */
  readonly folder: string
  readonly serverUrl: string
  /** How much room besides the file itself will be needed, in bytes. */
  readonly room?: number
  readonly bytesPerSecond?: number | undefined
  /** False once nobody waits for it any more. */
  readonly isWanted: () => boolean
  readonly told: (share: number) => void
}

const quietMs = 30_000
const syncEvery = 4 * 1024 * 1024
/** Tries in a row that bring nothing. */
const triesMax = 8
const keepDays = 7

/** The line broke, or the server is busy: what has come stays, and the rest is asked for again. */
class Interrupted extends Error {}

/**
 * Brings a file, however often it is cut off: what has come is kept and only the rest is asked for, in this run or the next.
 * Answers its path once length and digest are those that were promised.
 */
export const fetchFile = async (file: FileToFetch, options: FetchOptions): Promise<string> => {
  const { folder } = options
  const url = addressOf(file, options.serverUrl)
  const whole = join(folder, file.sha256)
  const part = `${whole}.part`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await sizeOf(whole)) === file.size && (await digestOf(whole)) === file.sha256) return whole
    await rm(whole, { force: true })
    await needSpace(folder, Math.max(0, file.size - (await sizeOf(part))) + (options.room ?? 0))
    let wasResumed = (await sizeOf(part)) > 0
    for (;;) {
      await bring(url, part, file, options)
      if ((await digestOf(part)) === file.sha256) break
      await forget(part)
      // A part of an earlier run may have been torn by a power cut; bytes that came in one go are what the server has.
      if (!wasResumed) throw new UpdateFailed('digestDiffers')
      wasResumed = false
    }
    await rename(part, whole)
    await rm(`${part}.tag`, { force: true })
    await syncFolder(folder)
    return whole
  } catch (error) {
    const fault = asFault(error, 'downloadFailed')
    if (fault.fault === 'notEnoughSpace') await forget(part)
    throw fault
  }
}

/** Removes what nobody has asked for in a while. */
export const sweepFetched = async (folder: string, now = Date.now()): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > keepDays * 24 * 3_600_000) await rm(path, { force: true })
  }
}

const addressOf = (file: FileToFetch, serverUrl: string): URL => {
  const url = new URL(file.url, serverUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UpdateFailed('downloadFailed', `nothing is fetched from ${url.protocol} addresses`)
  if (url.protocol === 'http:' && serverUrl.startsWith('https:'))
    throw new UpdateFailed('downloadFailed', 'the address of the file is not encrypted, the server is')
  return url
}

const forget = async (part: string) => {
  await rm(part, { force: true })
  await rm(`${part}.tag`, { force: true })
}

/** All bytes, by as many requests as it takes. */
const bring = async (url: URL, part: string, file: FileToFetch, options: FetchOptions): Promise<void> => {
  for (let tries = 0; ; ) {
    const had = await sizeOf(part)
    if (had > file.size) await forget(part)
    if (had === file.size) return
    try {
      await take(url, part, file, options)
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      tries = (await sizeOf(part)) > had ? 0 : tries + 1
      if (tries >= triesMax) throw new UpdateFailed('downloadFailed', error.message)
      if (!options.isWanted()) throw new UpdateFailed('downloadFailed', error.message)
      await sleep(Math.random() * Math.min(60_000, 500 * 2 ** tries))
    }
  }
}

/** One request, from where the last one ended. */
const take = async (url: URL, part: string, file: FileToFetch, options: FetchOptions): Promise<void> => {
  const from = await sizeOf(part)
  const tag = await readIfPresent(`${part}.tag`)
  const { response, cut } = await ask(url, from, tag)
  try {
    const offset = offsetOf(response, from, file)
    const handle = await open(part, offset === 0 ? 'w' : 'r+', 0o600)
    try {
      // Behind the emptied file: a tag never stands beside bytes of another one.
      if (offset === 0) await writePrivate(`${part}.tag`, strongTag(response) ?? '')
      await write(response, handle, offset, file, options, cut)
    } finally {
      await handle.close()
    }
  } finally {
    response.destroy()
  }
}

const ask = (url: URL, from: number, tag: string | undefined) =>
  new Promise<{ response: IncomingMessage; cut: (reason: string) => void }>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const range = from > 0 ? { range: `bytes=${from}-`, ...(tag ? { 'if-range': tag } : {}) } : {}
    const request = send(url, { headers: { 'accept-encoding': 'identity', ...range } })
    const cut = (reason: string) => request.destroy(new Interrupted(reason))
    const timer = setTimeout(() => cut('the server does not answer'), quietMs)
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(new Interrupted(error.message))
    })
    request.on('response', (response) => {
      clearTimeout(timer)
      resolve({ response, cut })
    })
    request.end()
  })

/** Where the bytes of an answer belong. */
const offsetOf = ({ statusCode = 0, headers }: IncomingMessage, from: number, { size }: FileToFetch): number => {
  if (statusCode === 206) {
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
    if (Number(total) !== size) throw new UpdateFailed('sizeDiffers', `${total} bytes are there, ${size} were promised`)
    if (Number(first) !== from) throw new UpdateFailed('downloadFailed', 'the server sends another part')
    return from
  }
  if (statusCode === 200) {
    const length = headers['content-length']
    if (length !== undefined && Number(length) !== size)
      throw new UpdateFailed('sizeDiffers', `${length} bytes are there, ${size} were promised`)
    return 0
  }
  if (statusCode === 403 || statusCode === 410) throw new UpdateFailed('linkExpired')
  if (statusCode === 429 || statusCode >= 500) throw new Interrupted(`the server answers ${statusCode}`)
  throw new UpdateFailed('downloadFailed', `the server answers ${statusCode}`)
}

const strongTag = ({ headers: { etag } }: IncomingMessage) => (etag?.startsWith('"') ? etag : undefined)

const write = async (
  response: IncomingMessage,
  handle: FileHandle,
  offset: number,
  { size }: FileToFetch,
  { bytesPerSecond, told, isWanted }: FetchOptions,
  cut: (reason: string) => void,
): Promise<void> => {
  let at = offset
  let unsynced = 0
  const awaiting = () => setTimeout(() => cut(`nothing came for ${quietMs / 1000} s`), quietMs)
  let timer = awaiting()
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      clearTimeout(timer)
      if (at + chunk.length > size) throw new UpdateFailed('sizeDiffers', `more than ${size} bytes came`)
      await handle.write(chunk, 0, chunk.length, at)
      at += chunk.length
      unsynced += chunk.length
      if (unsynced >= syncEvery) {
        await handle.sync()
        unsynced = 0
      }
      told(at / size)
      if (bytesPerSecond) await sleep((1000 * chunk.length) / bytesPerSecond)
      if (!isWanted()) throw new UpdateFailed('downloadFailed', `${at} of ${size} bytes had come`)
      timer = awaiting()
    }
  } catch (error) {
    if (error instanceof UpdateFailed || isOfDisk(error)) throw error
    throw new Interrupted(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
    await handle.sync()
  }
  if (at < size) throw new Interrupted(`the line broke after ${at} of ${size} bytes`)
}

const ofDisk = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG'])
/** A full or broken disk is not mended by asking again. */
const isOfDisk = (error: unknown) => error instanceof Error && 'code' in error && ofDisk.has(String(error.code))
