import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Backlog, Waiting } from './backlog.ts'
import { createMemoryBacklog, nothingLost } from './backlog.ts'
import { openBacklog } from './backlog-file.ts'

let folder: string
let complaints: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlog-'))
  complaints = []
})
afterEach(() => rm(folder, { recursive: true }))

const plenty = 1024 * 1024
const reopen = (maxBytes = plenty) => openBacklog(folder, maxBytes, (line) => complaints.push(line))
const state = (ts: number): Waiting => ({ kind: 'state', moment: { ts }, body: { cpu: ts % 100 } })
const event = (ts: number): Waiting => ({ kind: 'event', moment: { ts }, body: { id: `e${ts}` } })
const files = async () => (await readdir(join(folder, 'backlog'))).filter((name) => name.endsWith('.log')).sort()
const newest = async () => join(folder, 'backlog', (await files()).at(-1) ?? '')
/** Everything that waits, a few at a time, as it is told. */
const tellAll = async (backlog: Backlog, atOnce = 3) => {
  const told: Waiting[] = []
  for (;;) {
    const { waiting, taken } = await backlog.first(atOnce)
    if (waiting.length === 0) return told
    told.push(...waiting)
    await taken(nothingLost)
  }
}
const times = (all: readonly Waiting[]) => all.map(({ moment }) => moment.ts)

describe('what waits on disk', () => {
  it('is told in order, and gone when it was taken', async () => {
    const backlog = await reopen()
    for (let ts = 1; ts <= 10; ts += 1) await backlog.add(ts === 4 ? event(ts) : state(ts))
    expect(backlog.size).toBe(10)
    expect(await tellAll(backlog)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((ts) => (ts === 4 ? event(ts) : state(ts))),
    )
    expect(backlog.size).toBe(0)
    expect(await files()).toEqual([])
    expect((await stat(join(folder, 'backlog'))).mode & 0o777).toBe(0o700)
  })

  it('is still there after a kill, and begins where it was taken', async () => {
    const backlog = await reopen()
    for (let ts = 1; ts <= 6; ts += 1) await backlog.add(state(ts))
    const { taken } = await backlog.first(2)
    await taken(nothingLost)
    const not = await backlog.first(2)
    expect(times(not.waiting)).toEqual([3, 4])
    const again = await reopen()
    await again.add(state(7))
    expect(again.size).toBe(5)
    expect(times(await tellAll(again))).toEqual([3, 4, 5, 6, 7])
  })

  it('loses only the line that a power cut has torn, at whatever byte', async () => {
    await (await reopen()).add(state(1))
    const whole = (await stat(await newest())).size
    await rm(join(folder, 'backlog'), { recursive: true })
    for (let cut = 1; cut <= whole; cut += 1) {
      const backlog = await reopen()
      await backlog.add(state(1))
      await backlog.add(state(2))
      await truncate(await newest(), 2 * whole - cut)
      const after = await reopen()
      await after.add(state(3))
      // All but the line break is there: nothing is missing.
      expect(times(await tellAll(after))).toEqual(cut === 1 ? [1, 2, 3] : [1, 3])
    }
  })

  it('passes over lines that a bad card has changed, and over figures that are none', async () => {
    const backlog = await reopen()
    for (let ts = 1; ts <= 3; ts += 1) await backlog.add(state(ts))
    const path = await newest()
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, [lines[0], lines[1]?.replace('"cpu":2', '"cpu":9'), lines[2], ''].join('\n'))
    await appendFile(path, '\0\0\0\0')
    await writeFile(join(folder, 'backlog', 'figures.json'), '{"part":')
    expect(times(await tellAll(await reopen()))).toEqual([1, 3])
  })

  it('gives up the oldest measurements when it is full, keeps the events, and says how many', async () => {
    const most = 30_000
    const backlog = await reopen(most)
    for (let ts = 1; ts <= 1_000; ts += 1) await backlog.add(ts % 100 === 0 ? event(ts) : state(ts))
    const sizes = await Promise.all(
      (await files()).map(async (name) => (await stat(join(folder, 'backlog', name))).size),
    )
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(most)
    const { states, events } = (await reopen(most)).lost
    expect({ events, some: states > 0 }).toEqual({ events: 0, some: true })
    const told = await tellAll(await reopen(most), 50)
    expect(told.filter(({ kind }) => kind === 'event')).toHaveLength(10)
    expect(told).toHaveLength(1_000 - states)
    expect(times(told)).toEqual([...times(told)].sort((one, other) => one - other))
    expect(told.at(-1)).toEqual(event(1_000))
  })

  it('gives up events only where nothing else is left, and stays within its bounds', async () => {
    const backlog = await reopen(20_000)
    for (let ts = 1; ts <= 1_000; ts += 1) await backlog.add(event(ts))
    const { states, events } = backlog.lost
    expect(states).toBe(0)
    expect(backlog.size).toBe(1_000 - events)
    await backlog.forgive(backlog.lost)
    expect((await reopen(20_000)).lost).toEqual({ states: 0, events: 0 })
  })

  it('is told again, not lost, when room was made for others while it was being told', async () => {
    const backlog = await reopen(20_000)
    for (let ts = 1; ts <= 100; ts += 1) await backlog.add(ts % 10 === 0 ? event(ts) : state(ts))
    const { taken } = await backlog.first(10)
    for (let ts = 101; ts <= 1_000; ts += 1) await backlog.add(state(ts))
    await taken(nothingLost)
    expect((await tellAll(backlog)).filter(({ kind }) => kind === 'event')).toHaveLength(10)
  })

  it('takes in what comes while it is being told', async () => {
    const backlog = await reopen()
    await backlog.add(state(1))
    const { taken } = await backlog.first(5)
    await Promise.all([backlog.add(state(2)), taken(nothingLost), backlog.add(state(3))])
    expect(times(await tellAll(backlog))).toEqual([2, 3])
  })

  it('says once that it cannot be written, and goes on when it can', async () => {
    const backlog = await reopen()
    await rm(join(folder, 'backlog'), { recursive: true })
    await writeFile(join(folder, 'backlog'), 'in the way')
    await backlog.add(state(1))
    await backlog.add(state(2))
    expect(complaints).toHaveLength(1)
    expect(backlog.lost.states).toBe(2)
    await rm(join(folder, 'backlog'))
    const after = await reopen()
    await after.add(state(3))
    expect(times(await tellAll(after))).toEqual([3])
  })
})

it('does the same in memory, where the oldest measurement makes room', async () => {
  const backlog = createMemoryBacklog(3)
  for (const each of [event(1), state(2), state(3), state(4)]) await backlog.add(each)
  expect(backlog.lost).toEqual({ states: 1, events: 0 })
  expect(times(await tellAll(backlog))).toEqual([1, 3, 4])
})
