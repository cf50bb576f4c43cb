import { commandStates } from '@campanile/contract/command'
import { describe, expect, it } from 'vitest'
import { itemLines, syncOf } from './settingValues.ts'

const version = (number: number, items: object) => ({
  version: number,
  items,
  creatorName: `by ${number}`,
  createTime: '2026-01-01T00:00:00Z',
})

describe('a device and its settings', () => {
  it.each([
    ['done', 3, 'synced'],
    ['done', 2, 'outdated'],
    ['queued', 3, 'waiting'],
    ['sent', 3, 'waiting'],
    ['acknowledged', 2, 'waiting'],
    ['failed', 3, 'failed'],
    ['expired', 3, 'failed'],
    ['cancelled', 3, 'failed'],
  ])('%s with version %i of 3 is %s', (state, held, sync) => {
    expect(syncOf({ state, version: held }, 3)).toBe(sync)
  })

  it('has an answer for every state', () => {
    for (const state of commandStates) expect(syncOf({ state, version: 1 }, 1)).toBeTruthy()
  })
})

describe('the items of a version', () => {
  it('stand beside what was before, with the version that set them', () => {
    const versions = [version(3, { volume: 20, brightness: 5 }), version(2, { volume: 20 }), version(1, { volume: 10 })]
    expect(itemLines({ version: 3, versions })).toEqual([
      { item: 'volume', before: 20, now: 20, since: versions[1] },
      { item: 'brightness', before: undefined, now: 5, since: versions[0] },
    ])
  })

  it('name what was taken away', () => {
    const versions = [version(2, {}), version(1, { volume: 10 })]
    expect(itemLines({ version: 2, versions })).toEqual([
      { item: 'volume', before: 10, now: undefined, since: versions[0] },
    ])
  })

  it('are none before anything was saved', () => {
    expect(itemLines({ version: 0, versions: [] })).toEqual([])
  })
})
