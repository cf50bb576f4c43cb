import { ApiError } from './apiError.ts'
import { failureOfStatus, missingCode, sessionFailure, unwrap } from './envelope.ts'
import { fileNameOf } from './fileName.ts'
import { type Query, toQueryString } from './query.ts'
import { sendWatched } from './watched.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A fixed value, or a function when it changes during the life of the client (language, token). */
type Live<T> = T | (() => T)

export type ClientOptions = {
  baseUrl: string
  language?: Live<string | undefined>
  token?: Live<string | undefined>
  /** The person's own token while `token` operates on another organisation. */
  originToken?: Live<string | undefined>
}

export type CallOptions = {
  query?: Query | undefined
  body?: unknown
  /** Milliseconds. */
  timeout?: number | undefined
  /** Send the original token: refreshSession, single login, and what a declaration says. */
  origin?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Told how much of a file has gone, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
}

export type Download = { blob: Blob; fileName: string | undefined }

export type Client = {
  call: <T = unknown>(method: Method, path: string, options?: CallOptions) => Promise<T>
  upload: <T = unknown>(path: string, form: FormData, options?: Omit<CallOptions, 'body'>) => Promise<T>
  /** Bytes as they are: a part of a file. */
  put: <T = unknown>(path: string, bytes: Blob | Uint8Array, options?: Omit<CallOptions, 'body'>) => Promise<T>
  download: (path: string, options?: CallOptions & { method?: Method; fileName?: string }) => Promise<Download>
}

// An ordinary call waits a minute, imports and exports ten (behaviour: api.waits).
const ordinaryTimeout = 60_000
const longTimeout = 600_000
const isLong = (path: string) => /\/(import|export)\w*$/i.test(path)

const read = <T>(live: Live<T> | undefined): T | undefined => (typeof live === 'function' ? (live as () => T)() : live)

/** HTTP side of the contract: envelope, session header, time-outs. Sends no cookies; runs in browsers and in Node. */
export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\/$/, '')

  const headersFor = (call: CallOptions): Headers => {
    const headers = new Headers({ Accept: 'application/json' })
    const language = read(options.language)
    if (language !== undefined) headers.set('Accept-Language', language)
    const own = read(options.token)
    const token = call.origin === true ? (read(options.originToken) ?? own) : own
    if (token !== undefined) headers.set('SessionId', token)
    return headers
  }

  /** The time limit covers reading the answer too, so a stalled body cannot hang a screen. */
  const exchange = async <T>(request: Request, receive: (response: Response) => Promise<T>): Promise<T> => {
    const { method, path, headers, body, query, timeout, signal, onProgress } = request
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeout ?? (isLong(path) ? longTimeout : ordinaryTimeout))
    try {
      const address = `${base}${path}${toQueryString(query)}`
      const sent = {
        method,
        headers,
        signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
        ...(body === undefined ? {} : { body }),
      }
      const response = await (onProgress === undefined
        ? // A followed redirect would look like success with a sign-in page as the body.
          fetch(address, { ...sent, credentials: 'omit', redirect: 'manual' })
        : sendWatched(address, sent, onProgress))
      if (isRedirect(response)) throw sessionFailure(302)
      return await receive(response)
    } catch (cause) {
      throw cause instanceof ApiError ? cause : failureOf(limit.signal.aborted, signal?.aborted === true)
    } finally {
      clearTimeout(timer)
    }
  }

  const call = <T>(method: Method, path: string, callOptions: CallOptions = {}): Promise<T> => {
    const headers = headersFor(callOptions)
    const body = jsonBody(headers, callOptions.body)
    return exchange({ ...callOptions, method, path, headers, body }, unwrap<T>)
  }

  const upload = <T>(path: string, form: FormData, callOptions: Omit<CallOptions, 'body'> = {}): Promise<T> => {
    const headers = headersFor(callOptions)
    return exchange({ timeout: longTimeout, ...callOptions, method: 'POST', path, headers, body: form }, unwrap<T>)
  }

  const put = <T>(path: string, bytes: Blob | Uint8Array, callOptions: Omit<CallOptions, 'body'> = {}): Promise<T> => {
    const headers = headersFor(callOptions)
    headers.set('Content-Type', 'application/octet-stream')
    const body = bytes as BodyInit
    return exchange({ timeout: longTimeout, ...callOptions, method: 'PUT', path, headers, body }, unwrap<T>)
  }

  const download: Client['download'] = (path, { method = 'GET', fileName, ...callOptions } = {}) => {
    const headers = headersFor(callOptions)
    headers.set('Accept', '*/*')
    headers.set('timestamp', String(Date.now()))
    if (fileName !== undefined) headers.set('fileName', encodeURIComponent(fileName))
    const body = jsonBody(headers, callOptions.body)
    return exchange({ timeout: longTimeout, ...callOptions, method, path, headers, body }, async (response) => {
      if (!response.ok || isEnvelopeInsteadOfFile(response)) {
        await unwrap(response)
        throw failureOfStatus(response)
      }
      return { blob: await response.blob(), fileName: fileNameOf(response.headers) ?? fileName }
    })
  }

  return { call, upload, put, download }
}

type Request = Omit<CallOptions, 'body' | 'origin'> & {
  method: Method
  path: string
  headers: Headers
  body: BodyInit | undefined
}

function jsonBody(headers: Headers, body: unknown): string | undefined {
  if (body === undefined) return undefined
  headers.set('Content-Type', 'application/json')
  return JSON.stringify(body)
}

/** Browsers hide the status of a redirect that was not followed; Node shows it. */
const isRedirect = ({ type, status }: Response) =>
  type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)

/** A JSON file is a download too, and says so in its disposition; a refusal has none. */
const isEnvelopeInsteadOfFile = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json') === true && !headers.has('content-disposition')

function failureOf(timedOut: boolean, aborted: boolean): ApiError {
  const kind = timedOut ? 'timeout' : aborted ? 'aborted' : 'network'
  return new ApiError({ kind, code: missingCode, status: 0, message: '' })
}
