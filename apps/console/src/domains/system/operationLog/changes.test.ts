import { describe, expect, it } from 'vitest'
import { changesOf, sidesOf } from './changes.ts'

describe('what an operation changed', () => {
  it('is told field by field, with what stayed the same', () => {
    expect(changesOf({ name: 'A', type: 1 }, { name: 'B', type: 1 })).toEqual([
      { path: ['name'], before: 'A', after: 'B', changed: true },
      { path: ['type'], before: 1, after: 1, changed: false },
    ])
  })

  it('goes into names of several languages', () => {
    expect(changesOf({ label: { en: 'A', 'zh-cn': '甲' } }, { label: { en: 'B', 'zh-cn': '甲' } })).toEqual([
      { path: ['label', 'en'], before: 'A', after: 'B', changed: true },
      { path: ['label', 'zh-cn'], before: '甲', after: '甲', changed: false },
    ])
  })

  it('compares lists as wholes', () => {
    expect(changesOf({ roleIds: [1, 2] }, { roleIds: [1, 2] })[0]?.changed).toBe(false)
    expect(changesOf({ roleIds: [1, 2] }, { roleIds: [2] })[0]?.changed).toBe(true)
  })

  it('takes empty and absent for the same', () => {
    expect(changesOf({ mobile: null }, {})[0]?.changed).toBe(false)
  })

  it('shows all of a new row and all of a deleted one', () => {
    expect(changesOf(null, { name: 'A' })).toEqual([{ path: ['name'], before: undefined, after: 'A', changed: true }])
    expect(sidesOf(null, { name: 'A' })).toEqual(['after'])
    expect(sidesOf({ name: 'A' }, null)).toEqual(['before'])
  })

  it('is nothing when nothing was noted', () => {
    expect(changesOf(null, null)).toEqual([])
    expect(changesOf(undefined, undefined)).toEqual([])
  })
})
