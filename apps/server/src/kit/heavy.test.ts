import { describe, expect, it } from 'vitest'
import { createTurns } from './heavy.ts'

const stays = () => {}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('heavy calls of one account', () => {
  it('are two at once; the others wait for their turn in the order they came', async () => {
    const turns = createTurns()
    const begun: number[] = []
    const ends: (() => void)[] = []
    for (const n of [1, 2, 3, 4])
      void turns.take(7, stays).then((end) => {
        begun.push(n)
        ends.push(end)
      })
    await settled()
    expect(begun).toEqual([1, 2])
    ends[0]?.()
    await settled()
    expect(begun).toEqual([1, 2, 3])
    ends[1]?.()
    ends[2]?.()
    await settled()
    ends[3]?.()
    expect(begun).toEqual([1, 2, 3, 4])
    expect(turns.size()).toBe(0)
  })

  it('hold up nobody else', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 0, waitMs: 1_000 })
    await turns.take(7, stays)
    await expect(turns.take(7, stays)).rejects.toMatchObject({ code: 100005, status: 429 })
    await expect(turns.take(8, stays)).resolves.toBeTypeOf('function')
  })

  it('that nobody waits for any longer, or too long, never begin', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 2, waitMs: 20 })
    const end = await turns.take(7, stays)
    let leave = stays
    const abandoned = turns.take(7, (gone) => {
      leave = gone
    })
    leave()
    await expect(abandoned).rejects.toMatchObject({ code: 100005 })
    await expect(turns.take(7, stays)).rejects.toMatchObject({ code: 100005 })
    end()
    expect(turns.size()).toBe(0)
  })
})
