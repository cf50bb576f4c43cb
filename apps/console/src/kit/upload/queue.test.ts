import { describe, expect, it } from 'vitest'
import { uploadMachine, uploadStates } from './machine.ts'
import { paceOf } from './pace.ts'
import * as queue from './queue.ts'

const standing = { id: 7, chunkSize: 100, chunkCount: 3, received: [] as number[] }
const fresh = queue.newItem({ key: 'a', purpose: 'resource', name: 'a.bin', size: 250 })
const sending = queue.begun(queue.begin(fresh), standing)

describe('the seven states', () => {
  it('are all reached, and only by their events', () => {
    const paused = queue.pause(sending, 'person')
    const reached = [
      fresh,
      sending,
      queue.arrive(sending),
      queue.fail(sending, new Error('refused')),
      queue.pass(sending),
      paused,
      queue.resume(paused),
    ].map(({ state }) => state)
    expect(reached).toEqual(uploadStates)
    expect(uploadStates.filter((state) => uploadMachine.isFinal(state))).toEqual(['success', 'instantPass'])
    // A file that is there cannot be paused, and one that waits for nobody cannot go on.
    const there = queue.arrive(sending)
    expect(queue.pause(there, 'person')).toBe(there)
    expect(queue.resume(sending)).toBe(sending)
  })

  it('say why a file stands still, and forget it once it goes on', () => {
    const lost = queue.pause(sending, 'line')
    expect(lost.stand).toBe('line')
    expect(queue.resume(lost).stand).toBeUndefined()
    const failed = queue.fail(sending, 'why')
    expect(failed.error).toBe('why')
    expect(queue.retry(failed)).toMatchObject({ state: 'waiting', error: undefined, standing })
  })
})

describe('parts', () => {
  it('that have arrived or are on their way are not sent again, and the last is as long as what is left', () => {
    const some = queue.received(sending, [0], 0)
    expect(queue.nextPart(some, new Set([1]))).toBe(2)
    expect(queue.nextPart(some, new Set([1, 2]))).toBeUndefined()
    expect(queue.partSize(some, standing, 2)).toBe(50)
  })

  it('add up with what has gone of others; a late answer takes nothing back', () => {
    const two = queue.received(queue.received(sending, [0, 1], 1), [0], 0)
    expect(two.standing?.received).toEqual([0, 1])
    expect(queue.sentBytes(queue.gone(two, { 2: 25 }, 0))).toBe(225)
    expect(queue.shareOf(queue.arrive(two))).toBe(1)
  })

  it('that begin anew count from their first byte', () => {
    const going = queue.gone(sending, { 0: 90 }, 0)
    expect(queue.sentBytes(queue.again(going, 0))).toBe(0)
  })

  it('of a file that stands still move nothing any more', () => {
    const paused = queue.pause(queue.gone(sending, { 0: 90 }, 0), 'person')
    expect(queue.gone(paused, { 0: 95 }, 1)).toBe(paused)
    expect(queue.sentBytes(paused)).toBe(0)
  })
})

it('files begin in their order, and no more than may be under way at once', () => {
  const items = ['a', 'b', 'c'].map((key) => ({ ...fresh, key }))
  expect(queue.toBegin(items, 2).map(({ key }) => key)).toEqual(['a', 'b'])
  expect(queue.toBegin([queue.begin(fresh), ...items.slice(1)], 2).map(({ key }) => key)).toEqual(['b'])
})

describe('speed and time to go', () => {
  it('come from the last seconds, and are not guessed from less than one', () => {
    const early = paceOf.taken([{ time: 0, bytes: 0 }], { time: 500, bytes: 900 })
    expect(paceOf.now(early, 1_000, 500)).toEqual({ bytesPerSecond: undefined, seconds: undefined })
    const later = paceOf.taken(early, { time: 2_000, bytes: 4_000 })
    expect(paceOf.now(later, 10_000, 2_000)).toEqual({ bytesPerSecond: 2_000, seconds: 5 })
  })

  it('forget what is long ago, and begin anew where bytes were taken back', () => {
    const samples = [0, 10_000, 20_000].reduce(
      (before, time) => paceOf.taken(before, { time, bytes: time }),
      [] as ReturnType<typeof paceOf.taken>,
    )
    expect(samples.map(({ time }) => time)).toEqual([10_000, 20_000])
    expect(paceOf.taken(samples, { time: 21_000, bytes: 5 })).toEqual([{ time: 21_000, bytes: 5 }])
  })
})
