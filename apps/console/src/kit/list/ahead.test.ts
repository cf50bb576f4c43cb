// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { createAhead, type Step, useAhead } from './ahead.ts'

const state = { filters: {}, sort: 'name', page: 1, pageSize: 20 }

/** A step whose answer comes when the test says so. */
const step = (name: string, how: Step['how'] = 'push', typed = false) => {
  let come: () => void = () => undefined
  let here = false
  const answer = new Promise<void>((resolve) => {
    come = () => {
      here = true
      resolve()
    }
  })
  const tell = vi.fn()
  return { come, tell, step: { state, queryKey: [name], answer, arrived: () => here, how, typed, tell } satisfies Step }
}
const turn = () => new Promise((resolve) => setTimeout(resolve))

/** A list whose next frame is drawn when the test says so. */
const create = () => {
  let draw: () => void = () => undefined
  const ahead = createAhead(
    () =>
      new Promise((resolve) => {
        draw = () => {
          resolve()
        }
      }),
  )
  return { ahead, draw: () => draw() }
}

describe('what a list is asked for', () => {
  it('shows its rows before the address follows', async () => {
    const { ahead, draw } = create()
    const chosen = step('offline')
    void ahead.begin(chosen.step)
    expect(ahead.get()).toMatchObject({ state, shown: undefined })
    chosen.come()
    await turn()
    expect(ahead.get()).toMatchObject({ queryKey: ['offline'], shown: ['offline'] })
    expect(chosen.tell).not.toHaveBeenCalled()
    draw()
    await turn()
    expect(chosen.tell).toHaveBeenCalledExactlyOnceWith('push')
    ahead.settle()
    expect(ahead.get()).toBeUndefined()
  })

  it('draws what shows the choice anew when something is chosen, not when its rows come', async () => {
    const { ahead } = create()
    const chosen = step('offline')
    let drawn = 0
    const { unmount } = renderHook(() => {
      drawn += 1
      return useAhead(ahead, 'state')
    })
    act(() => void ahead.begin(chosen.step))
    expect(drawn).toBe(2)
    chosen.come()
    await act(turn)
    expect(ahead.get()?.shown).toEqual(['offline'])
    expect(drawn).toBe(2)
    unmount()
  })

  it('keeps an entry for Back for each of two choices', async () => {
    const { ahead, draw } = create()
    const [first, second] = [step('offline'), step('offline and locked')]
    void ahead.begin(first.step)
    void ahead.begin(second.step)
    expect(first.tell).toHaveBeenCalledExactlyOnceWith('push')
    second.come()
    await turn()
    draw()
    await turn()
    expect(second.tell).toHaveBeenCalledExactlyOnceWith('push')
  })

  it('is one entry for Back however many keys were typed', async () => {
    const { ahead, draw } = create()
    const [first, second] = [step('a', 'push'), step('ab', 'replace')]
    void ahead.begin(first.step)
    void ahead.begin(second.step)
    second.come()
    await turn()
    draw()
    await turn()
    expect(first.tell).not.toHaveBeenCalled()
    expect(second.tell).toHaveBeenCalledExactlyOnceWith('push')
  })

  it('is in the address before somebody leaves the field, and not a second time after', async () => {
    const { ahead, draw } = create()
    const typed = step('a', 'push', true)
    void ahead.begin(typed.step)
    ahead.flush()
    expect(typed.tell).toHaveBeenCalledExactlyOnceWith('push')
    typed.come()
    await turn()
    draw()
    await turn()
    expect(typed.tell).toHaveBeenCalledOnce()
  })

  it('keeps the rows of the key before until those of the next are here', async () => {
    const { ahead } = create()
    const [first, second] = [step('a', 'push', true), step('ab', 'replace', true)]
    void ahead.begin(first.step)
    first.come()
    await turn()
    void ahead.begin(second.step)
    expect(ahead.get()).toMatchObject({ queryKey: ['ab'], shown: ['a'] })
    second.come()
    await turn()
    expect(ahead.get()?.shown).toEqual(['ab'])
  })

  it('is not shown once something else was asked for', async () => {
    const { ahead } = create()
    const [first, second] = [step('a'), step('b')]
    void ahead.begin(first.step)
    void ahead.begin(second.step)
    first.come()
    await turn()
    expect(ahead.get()).toMatchObject({ queryKey: ['b'], shown: undefined })
  })

  it('is no longer ahead of an address that has been left', async () => {
    const { ahead, draw } = create()
    const chosen = step('offline')
    chosen.tell.mockImplementation(ahead.drop)
    void ahead.begin(chosen.step)
    chosen.come()
    await turn()
    draw()
    await turn()
    expect(ahead.get()).toBeUndefined()
    expect(ahead.isUnderWay()).toBe(false)
  })
})
