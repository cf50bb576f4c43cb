import type { Asked, Told } from './digest.worker.ts'

/** The file was changed, moved or taken away since it was chosen. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

interface Waiting {
  readonly done: (digest: string) => void
  readonly failed: (error: unknown) => void
  readonly read?: ((bytes: number) => void) | undefined
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let last = 0

const hear = ({ data }: MessageEvent<Told>) => {
  const one = waiting.get(data.id)
  if ('read' in data) return one?.read?.(data.read)
  waiting.delete(data.id)
  if ('digest' in data) one?.done(data.digest)
  else one?.failed(new Unreadable(data.fault))
}

const theWorker = (): Worker => {
  if (worker) return worker
  worker = new Worker(new URL('./digest.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', hear)
  worker.addEventListener('error', ({ message }) => {
    const all = [...waiting.values()]
    waiting.clear()
    worker = undefined
    for (const { failed } of all) failed(new Error(message))
  })
  return worker
}

const ask = (
  what: { readonly whole: Blob } | { readonly part: Blob },
  signal: AbortSignal,
  read?: (bytes: number) => void,
): Promise<string> =>
  new Promise((done, failed) => {
    last += 1
    const id = last
    const to = theWorker()
    const leave = () => {
      waiting.delete(id)
      if ('whole' in what) to.postMessage({ id, stop: true } satisfies Asked)
      failed(signal.reason)
    }
    if (signal.aborted) return failed(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    const ended =
      <T>(then: (value: T) => void) =>
      (value: T) => {
        signal.removeEventListener('abort', leave)
        then(value)
      }
    waiting.set(id, { done: ended(done), failed: ended(failed), read })
    to.postMessage({ id, ...what } satisfies Asked)
  })

/** Of a whole file, piece by piece beside the page, which stays responsive. */
export const sha256Of = (file: Blob, signal: AbortSignal, read: (bytes: number) => void): Promise<string> =>
  ask({ whole: file }, signal, read)

/** Of one part. */
export const md5Of = (part: Blob, signal: AbortSignal): Promise<string> => ask({ part }, signal)
