import { ApiError } from '@campanile/client'
import { expect, it, vi } from 'vitest'
import { createUploads, usualLimits } from './createUploads.ts'
import { codes, type Line, type Pending } from './line.ts'

const fault = (code: number) => new ApiError({ kind: 'api', code, status: 400, message: '' })
const broken = () => new ApiError({ kind: 'network', code: 0, status: 0, message: '' })
const chunkSize = 4
const quick = { ...usualLimits, pauseMs: [1, 4] as const, tellMs: 1 }

/** A server that keeps parts, with something to go wrong. */
const standIn = () => {
  const parts = new Map<number, string>()
  const sent: number[] = []
  const trouble: { part?: (part: number) => unknown; finish?: () => unknown } = {}
  const told = (size: number, state: 'uploading' | 'complete' = 'uploading', instant = false) => ({
    id: 1,
    state,
    instant,
    chunkSize,
    chunkCount: Math.ceil(size / chunkSize),
    received: [...parts.keys()].sort(),
  })
  const digestOf = async (blob: Blob) => `digest of ${await blob.text()}`
  const line: Line = {
    begin: vi.fn(async ({ size }) => told(size)),
    info: async () => told(10),
    part: async ({ part, bytes }, signal, onProgress) => {
      signal.throwIfAborted()
      sent.push(part)
      const wrong = await trouble.part?.(part)
      if (wrong) throw wrong
      signal.throwIfAborted()
      onProgress(1)
      parts.set(part, await bytes.text())
      return { received: [...parts.keys()] }
    },
    finish: vi.fn(async () => {
      const wrong = trouble.finish?.()
      if (wrong) throw wrong
    }),
    cancel: vi.fn(async () => undefined),
    sha256: async (file, _signal, read) => {
      read(file.size)
      return digestOf(file)
    },
    md5: digestOf,
  }
  const whole = () => [...parts].sort(([a], [b]) => a - b).flatMap(([, text]) => text)
  return { line, parts, sent, trouble, told, whole }
}
const file = (text = '0123456789') => new File([text], 'figures.bin')
const begun = (world = standIn()) => {
  const uploads = createUploads(world.line, quick)
  const [key = ''] = uploads.add('resource', [file()])
  const state = () => uploads.store.getState().items.find((item) => item.key === key)
  return { ...world, uploads, key, state }
}

it('a file arrives in parts and is put together once', async () => {
  const { state, whole, line } = begun()
  await expect.poll(() => state()?.state).toBe('success')
  expect(whole()).toEqual(['0123', '4567', '89'])
  expect(line.finish).toHaveBeenCalledOnce()
})

it('what the server holds already is not sent', async () => {
  const world = standIn()
  vi.mocked(world.line.begin).mockImplementation(async ({ size }) => world.told(size, 'complete', true))
  const { state, sent } = begun(world)
  await expect.poll(() => state()?.state).toBe('instantPass')
  expect(sent).toEqual([])
})

it('a damaged part goes again, and one that never arrives whole ends it', async () => {
  let times = 0
  const once = standIn()
  once.trouble.part = (part) => {
    if (part !== 1) return undefined
    times += 1
    return times === 1 ? fault(codes.damaged) : undefined
  }
  const first = begun(once)
  await expect.poll(() => first.state()?.state).toBe('success')
  expect(first.sent.filter((part) => part === 1)).toHaveLength(2)
  const always = standIn()
  always.trouble.part = (part) => (part === 1 ? fault(codes.damaged) : undefined)
  const second = begun(always)
  await expect.poll(() => second.state()?.state).toBe('failed')
  expect(second.sent.filter((part) => part === 1)).toHaveLength(1 + quick.again)
})

it('a broken line pauses it, and it goes on by itself with what is missing', async () => {
  const world = standIn()
  let down = true
  world.trouble.part = (part) => (down && part > 0 ? broken() : undefined)
  const { state, parts, sent, uploads } = begun(world)
  await expect.poll(() => state()).toMatchObject({ state: 'paused', stand: 'line' })
  await expect.poll(() => parts.has(0)).toBe(true)
  const before = sent.length
  down = false
  uploads.resumeLost()
  await expect.poll(() => state()?.state).toBe('success')
  expect(sent.slice(before)).not.toContain(0)
})

it('paused by a person it stays, resumed it sends only the rest', async () => {
  const world = standIn()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  world.trouble.part = async (part) => (part === 0 ? undefined : await held)
  const { uploads, key, state, sent } = begun(world)
  await expect.poll(() => state()?.standing?.received).toEqual([0])
  uploads.pause(key)
  expect(state()).toMatchObject({ state: 'paused', stand: 'person' })
  release()
  uploads.resumeLost()
  expect(state()?.state).toBe('paused')
  uploads.resume(key)
  expect(state()?.state).toBe('resumed')
  await expect.poll(() => state()?.state).toBe('success')
  expect(sent.filter((part) => part === 0)).toHaveLength(1)
})

it('a part the server misses at the end is sent after all', async () => {
  const world = standIn()
  let asked = 0
  world.trouble.finish = () => {
    asked += 1
    if (asked > 1) return undefined
    world.parts.delete(2)
    return fault(codes.missing)
  }
  const { state, sent } = begun(world)
  await expect.poll(() => state()?.state).toBe('success')
  expect(sent.filter((part) => part === 2)).toHaveLength(2)
})

it('after the page was loaded anew the same file goes on, and another one is told apart', async () => {
  const world = standIn()
  world.parts.set(0, '0123')
  const uploads = createUploads(world.line, quick)
  const { state: _state, instant: _instant, ...standing } = world.told(10)
  const kept: Pending = {
    ...standing,
    purpose: 'resource',
    name: 'figures.bin',
    size: 10,
    sha256: 'digest of 0123456789',
  }
  uploads.keep([kept])
  uploads.keep([kept])
  expect(uploads.store.getState().items).toHaveLength(1)
  const item = () => uploads.store.getState().items[0]
  expect(item()).toMatchObject({ state: 'paused', stand: 'file' })
  const key = item()?.key ?? ''
  expect(uploads.choose(key, file('short'))).toBe(false)
  expect(uploads.choose(key, file('9876543210'))).toBe(true)
  await expect.poll(() => item()?.state).toBe('failed')
  expect(item()?.error).toHaveProperty('name', 'OtherFile')
  expect(uploads.choose(key, file())).toBe(true)
  await expect.poll(() => item()?.state).toBe('success')
  expect([...world.sent].sort()).toEqual([1, 2])
})

it('a file that is given up gives its space back, one that failed can be tried again', async () => {
  const world = standIn()
  world.trouble.part = () => fault(53034)
  const { uploads, key, state, line } = begun(world)
  await expect.poll(() => state()?.state).toBe('failed')
  delete world.trouble.part
  uploads.retry(key)
  await expect.poll(() => state()?.state).toBe('success')
  world.parts.clear()
  world.trouble.part = () => new Promise(() => undefined)
  const [other = ''] = uploads.add('resource', [file('another one')])
  await expect.poll(() => uploads.store.getState().items.find((item) => item.key === other)?.standing).toBeDefined()
  uploads.pause(other)
  await uploads.cancel(other)
  expect(line.cancel).toHaveBeenCalledWith(1)
  expect(uploads.store.getState().items.map((item) => item.key)).toEqual([key])
})
