import { createStore } from 'zustand/vanilla'
import { codes, hasCode, isLineFault, type Line, OtherFile, type Pending } from './line.ts'
import { isThere, uploadMachine } from './machine.ts'
import type { Item } from './queue.ts'
import * as queue from './queue.ts'

interface Limits {
  /** Files under way at once, and parts of each. */
  readonly files: number
  readonly parts: number
  /** A part that arrives damaged is sent again this many times, and missing ones are asked for as often. */
  readonly again: number
  /** How long is waited after the line broke: the first time, and at most. */
  readonly pauseMs: readonly [number, number]
  /** How often progress is told. */
  readonly tellMs: number
}
export const usualLimits: Limits = { files: 2, parts: 3, again: 3, pauseMs: [2_000, 30_000], tellMs: 250 }

/**
 * Files on their way to the server, whatever page is in front: in parts, several at once, paused and resumed, and after a
 * broken line or a page loaded anew from where they were.
 */
export const createUploads = (line: Line, limits: Limits = usualLimits) => {
  const store = createStore<{ readonly items: readonly Item[] }>(() => ({ items: [] }))
  const files = new Map<string, File>()
  const runs = new Map<string, AbortController>()
  const breaks = new Map<string, number>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let count = 0

  const find = (key: string) => store.getState().items.find((item) => item.key === key)
  const change = (key: string, to: (item: Item) => Item) =>
    store.setState(({ items }) => ({ items: items.map((item) => (item.key === key ? to(item) : item)) }))

  const sendParts = async (key: string, file: File, id: number, signal: AbortSignal) => {
    const sending = new Set<number>()
    const gone: Record<number, number> = {}
    const damaged = new Map<number, number>()
    const inner = new AbortController()
    const both = AbortSignal.any([signal, inner.signal])
    const tell = setInterval(() => change(key, (item) => queue.gone(item, { ...gone }, Date.now())), limits.tellMs)

    const sendOne = async (part: number, { chunkSize }: queue.Standing) => {
      const bytes = file.slice(part * chunkSize, (part + 1) * chunkSize)
      const md5 = await line.md5(bytes, both)
      const onProgress = (share: number) => {
        if (sending.has(part)) gone[part] = share * bytes.size
      }
      const { received } = await line.part({ id, part, md5, bytes }, both, onProgress)
      breaks.delete(key)
      change(key, (item) => queue.received(item, received, part))
    }
    const lane = async () => {
      for (;;) {
        const item = find(key)
        const part = item && queue.nextPart(item, sending)
        if (!item?.standing || part === undefined) return
        sending.add(part)
        try {
          await sendOne(part, item.standing)
        } catch (error) {
          const times = (damaged.get(part) ?? 0) + 1
          damaged.set(part, times)
          if (!hasCode(error, codes.damaged) || times > limits.again) throw error
          change(key, (at) => queue.again(at, part))
        } finally {
          sending.delete(part)
          delete gone[part]
        }
      }
    }
    try {
      const lanes = Array.from({ length: limits.parts }, lane)
      await Promise.all(lanes).catch(async (error: unknown) => {
        inner.abort(error)
        await Promise.allSettled(lanes)
        throw error
      })
    } finally {
      clearInterval(tell)
    }
  }

  /** What it is, what the server has of it, and the rest. */
  const send = async (key: string, file: File, signal: AbortSignal) => {
    const { purpose, name, size, sha256: taken, expected } = find(key) as Item
    const sha256 =
      taken ?? (await line.sha256(file, signal, (read) => change(key, (item) => queue.reading(item, read))))
    if (expected !== undefined && expected !== sha256) throw new OtherFile(name)
    change(key, (item) => queue.known(item, sha256))
    const told = await line.begin({ purpose, name, size, sha256 }, signal)
    change(key, (item) => queue.begun(item, told))
    line.begun?.(file, told.id)
    if (told.state === 'complete') return change(key, told.instant ? queue.pass : queue.arrive)
    for (let times = 0; ; times += 1) {
      await sendParts(key, file, told.id, signal)
      try {
        await line.finish(told.id, signal)
        return change(key, queue.arrive)
      } catch (error) {
        if (!hasCode(error, codes.missing) || times >= limits.again) throw error
        const now = await line.info(told.id, signal)
        change(key, (item) => queue.begun(item, now))
      }
    }
  }

  const goOnLater = (key: string) => {
    const times = breaks.get(key) ?? 0
    breaks.set(key, times + 1)
    const [first, most] = limits.pauseMs
    clearTimeout(timers.get(key))
    timers.set(
      key,
      setTimeout(() => resumeIf(key, 'line'), Math.min(first * 2 ** times, most)),
    )
  }

  const start = async (key: string) => {
    const file = files.get(key)
    if (!file || runs.has(key)) return
    const run = new AbortController()
    runs.set(key, run)
    change(key, queue.begin)
    try {
      await send(key, file, run.signal)
    } catch (error) {
      if (run.signal.aborted) return
      if (isLineFault(error)) {
        change(key, (item) => queue.pause(item, 'line'))
        goOnLater(key)
      } else if (hasCode(error, codes.gone) && !breaks.has(key)) {
        // Swept away meanwhile: it begins from its first byte, once.
        breaks.set(key, 1)
        change(key, (item) => ({ ...queue.pause(item, 'line'), standing: undefined }))
        goOnLater(key)
      } else change(key, (item) => queue.fail(item, error))
    } finally {
      if (runs.get(key) === run) runs.delete(key)
      pump()
    }
  }

  const pump = () => {
    for (const { key } of queue.toBegin(store.getState().items, limits.files)) void start(key)
  }
  const end = (key: string) => {
    runs.get(key)?.abort(new DOMException('stopped', 'AbortError'))
    runs.delete(key)
    clearTimeout(timers.get(key))
  }
  const resume = (key: string) => {
    if (!files.has(key)) return
    clearTimeout(timers.get(key))
    change(key, queue.resume)
    void start(key)
  }
  const resumeIf = (key: string, stand: queue.Stand) => {
    const item = find(key)
    if (item?.state === 'paused' && item.stand === stand) resume(key)
  }
  const forget = (key: string) => {
    end(key)
    files.delete(key)
    breaks.delete(key)
    store.setState(({ items }) => ({ items: items.filter((item) => item.key !== key) }))
  }

  return {
    store,
    /** Their keys, in the order of the files. */
    add: (purpose: string, chosen: readonly File[]): string[] => {
      const made = chosen.map((file) => {
        count += 1
        const key = `file-${count}`
        files.set(key, file)
        return queue.newItem({ key, purpose, name: file.name, size: file.size })
      })
      store.setState(({ items }) => ({ items: [...items, ...made] }))
      pump()
      return made.map(({ key }) => key)
    },
    pause: (key: string) => {
      end(key)
      change(key, (item) => queue.pause(item, 'person'))
      pump()
    },
    resume,
    /** The line is back: whoever waits for it goes on. */
    resumeLost: () => {
      for (const { key } of store.getState().items) resumeIf(key, 'line')
    },
    retry: (key: string) => {
      change(key, queue.retry)
      pump()
    },
    /** Stops it and gives back what the server keeps of it. */
    cancel: async (key: string): Promise<void> => {
      const item = find(key)
      forget(key)
      pump()
      if (item?.standing && !isThere(item.state)) await line.cancel(item.standing.id)
    },
    /** Takes a file that is there off the list; the server keeps it. */
    forget,
    /** The file of an upload that was under way before the page was loaded anew. */
    choose: (key: string, file: File): boolean => {
      const item = find(key)
      if (!item || item.size !== file.size) return false
      files.set(key, file)
      if (uploadMachine.can(item.state, 'retry')) change(key, queue.retry)
      else resume(key)
      pump()
      return true
    },
    hasFile: (key: string) => files.has(key),
    /** What the server keeps of files that are not on this list. */
    keep: (pending: readonly Pending[]) => {
      const here = new Set(store.getState().items.map(({ standing }) => standing?.id))
      const made = pending
        .filter(({ id }) => !here.has(id))
        .map(({ purpose, name, size, sha256, ...standing }) => {
          count += 1
          return queue.keptItem({ key: `file-${count}`, purpose, name, size }, sha256, standing)
        })
      store.setState(({ items }) => ({ items: [...items, ...made] }))
    },
  }
}
