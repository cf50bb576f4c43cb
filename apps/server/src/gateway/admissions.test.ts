import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Admit, type Admitted, createAdmissions } from './admissions.ts'
import type { RefusalReason } from './wire.ts'

const letIn: Admitted = { deviceId: 1, grant: '1' }
let admit: ReturnType<typeof vi.fn<Admit>>
let admissions: ReturnType<typeof createAdmissions>
const heard: (Admitted | RefusalReason)[] = []
const put = (count: number) => {
  for (let n = 0; n < count; n += 1) admissions.put({ sn: `SN-${n}`, secret: 'x' }, (verdict) => heard.push(verdict))
}

beforeEach(() => {
  vi.useFakeTimers()
  heard.length = 0
  admit = vi.fn<Admit>(async (asked) => asked.map(() => letIn))
  admissions = createAdmissions(pino({ level: 'silent' }), () => admit)
})
afterEach(() => vi.useRealTimers())

it('asks about all who knock together, one question at a time', async () => {
  let free = () => undefined as unknown
  admit.mockImplementation(async (asked) => {
    await new Promise<void>((resolve) => {
      free = resolve as () => undefined
    })
    return asked.map(() => letIn)
  })
  put(2_500)
  for (const size of [1_000, 1_000, 500]) {
    await vi.advanceTimersByTimeAsync(1_000)
    expect(admit.mock.calls.at(-1)?.[0]).toHaveLength(size)
    free()
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(admit).toHaveBeenCalledTimes(3)
  expect(heard).toHaveLength(2_500)
})

it('waits a moment for a database that is away, and nobody notices', async () => {
  admit.mockRejectedValue(new Error('terminating connection'))
  put(3)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(heard).toEqual([])
  admit.mockImplementation(async (asked) => asked.map(() => letIn))
  await vi.advanceTimersByTimeAsync(300)
  expect(heard).toEqual([letIn, letIn, letIn])
})

it('tells them to come back when it stays away', async () => {
  admit.mockRejectedValue(new Error('terminating connection'))
  put(3)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(heard).toEqual(['unavailable', 'unavailable', 'unavailable'])
  expect(admit.mock.calls.length).toBeLessThan(20)
})
