import { describe, expect, it } from 'vitest'
import { createKeptLooks } from './kept-looks.ts'

/** A clock and a look that takes so long on it. */
const stage = (takesMs: number) => {
  let time = 0
  let looks = 0
  const ask = createKeptLooks(() => time)
  return {
    ask: () =>
      ask('key', async () => {
        looks += 1
        const mine = looks
        await Promise.resolve()
        time += takesMs
        return mine
      }),
    wait: (ms: number) => {
      time += ms
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

describe('an answer that several ask for', () => {
  it('is looked for once for all who ask meanwhile, and told for a minute', async () => {
    const { ask, wait } = stage(2_000)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    wait(50_000)
    expect(await ask()).toBe(1)
  })

  it('is told once more while it is looked for again, unless it has become old', async () => {
    const { ask, wait, settle } = stage(2_000)
    await ask()
    wait(61_000)
    expect(await ask()).toBe(1)
    await settle()
    expect(await ask()).toBe(2)
    wait(11 * 60_000)
    expect(await ask()).toBe(3)
  })

  it('is looked for anew after a look that failed', async () => {
    const ask = createKeptLooks(() => 0)
    await expect(ask('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await ask('key', async () => 5)).toBe(5)
  })
})
