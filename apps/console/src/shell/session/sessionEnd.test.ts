import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSessionEnd, endedMessageMs } from './sessionEnd.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('many failures at once show one message and reload once, after the message has stood its time', () => {
  const deps = { leave: vi.fn(), show: vi.fn(), reload: vi.fn() }
  const end = createSessionEnd(deps)
  end()
  end()
  vi.advanceTimersByTime(endedMessageMs - 1)
  end()
  expect(deps.reload).not.toHaveBeenCalled()
  vi.advanceTimersByTime(endedMessageMs * 3)
  expect([deps.leave, deps.show, deps.reload].map((each) => each.mock.calls.length)).toEqual([1, 1, 1])
})
