import { isApiError } from '@campanile/client'
import type { Standing } from './queue.ts'

/** What an upload stands at, as the server tells it. */
export interface Told extends Standing {
  readonly state: 'uploading' | 'complete' | 'abandoned'
  /** The bytes were there already: nothing had to be sent. */
  readonly instant: boolean
}
export interface Pending extends Standing {
  readonly purpose: string
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** What the queue needs of the world: the server's calls, and somebody who takes digests. */
export interface Line {
  readonly begin: (
    file: { readonly purpose: string; readonly name: string; readonly size: number; readonly sha256: string },
    signal: AbortSignal,
  ) => Promise<Told>
  readonly info: (id: number, signal: AbortSignal) => Promise<Told>
  readonly part: (
    given: { readonly id: number; readonly part: number; readonly md5: string; readonly bytes: Blob },
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ) => Promise<{ readonly received: readonly number[] }>
  readonly finish: (id: number, signal: AbortSignal) => Promise<unknown>
  readonly cancel: (id: number) => Promise<unknown>
  readonly sha256: (file: Blob, signal: AbortSignal, read: (bytes: number) => void) => Promise<string>
  readonly md5: (part: Blob, signal: AbortSignal) => Promise<string>
  /** The server knows of it now. */
  readonly begun?: (file: File, id: number) => void
}

/** A part is missing, came damaged, or the upload is there no more (behaviour: the codes of uploads). */
export const codes = { gone: 53030, missing: 53031, damaged: 53032 } as const
export const hasCode = (error: unknown, code: number): boolean => isApiError(error) && error.code === code

/** Told to wait: too many calls, or a service that is not there right now. */
const waits: readonly number[] = [100005, 100008, 100018, 100019, 100020]

/** Nobody refused the file; it goes on as soon as there is an answer again. */
export const isLineFault = (error: unknown): boolean =>
  isApiError(error) &&
  (error.kind === 'network' ||
    error.kind === 'timeout' ||
    (error.kind === 'http' && error.status >= 500) ||
    waits.includes(error.code))

/** Another file was chosen than the one whose parts the server keeps. */
export class OtherFile extends Error {
  override readonly name = 'OtherFile'
}
