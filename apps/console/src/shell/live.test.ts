import { liveClosing } from '@campanile/contract/identity'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api } from './api.ts'
import { startLive } from './live.ts'

vi.mock('./api.ts', () => ({ api: { call: vi.fn(async () => ({ ticket: 't' })) } }))
vi.mock('./apiBase.ts', () => ({ apiBase: 'http://localhost' }))

/** The server's side of a connection. */
class FakeSocket {
  static readonly OPEN = 1
  static readonly all: FakeSocket[] = []
  readyState = FakeSocket.OPEN
  onopen: () => void = () => undefined
  onclose: (event: { code: number }) => void = () => undefined
  constructor() {
    FakeSocket.all.push(this)
  }
  close() {
    this.readyState = 3
  }
}

let stop: () => void
beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all.length = 0
  stop = startLive()
  await vi.advanceTimersByTimeAsync(0)
  FakeSocket.all[0]?.onopen()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('comes back after a second when the connection is lost', async () => {
  FakeSocket.all[0]?.onclose({ code: 1006 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(FakeSocket.all).toHaveLength(2)
})

it('is quiet for half a minute when it was sent away for saying too much', async () => {
  FakeSocket.all[0]?.onclose({ code: liveClosing.tooMany })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(FakeSocket.all).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(FakeSocket.all).toHaveLength(2)
  expect(vi.mocked(api.call)).toHaveBeenCalled()
})

it('asks at once for another when its session is over: only a refusal of that ends the session', async () => {
  FakeSocket.all[0]?.onclose({ code: liveClosing.ended })
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSocket.all).toHaveLength(2)
  // A server that refuses what it has just promised is not asked without end.
  FakeSocket.all[1]?.onclose({ code: liveClosing.ended })
  await vi.advanceTimersByTimeAsync(0)
  FakeSocket.all[2]?.onclose({ code: 1006 })
  await vi.advanceTimersByTimeAsync(900)
  expect(FakeSocket.all).toHaveLength(3)
})
