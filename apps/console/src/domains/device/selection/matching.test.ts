import { expect, it } from 'vitest'
import { matching } from './matching.ts'

const sns = Array.from({ length: 10_000 }, (_, at) => `CR9-${String(at).padStart(5, '0')}`)
const numbers = new Map(sns.map((sn, at) => [sn, at % 2 === 0 ? 'Autumn 2026' : 'Spring 2027']))

it('ten thousand serials are looked through by serial and batch number, in any case', () => {
  expect(matching(sns, { sn: ' ', batch: '' }, undefined)).toBe(sns)
  expect(matching(sns, { sn: 'cr9-0001', batch: '' }, undefined)).toHaveLength(10)
  expect(matching(sns, { sn: '', batch: 'autumn' }, numbers)).toHaveLength(5_000)
  expect(matching(sns, { sn: '00010', batch: 'spring' }, numbers)).toEqual([])
  // Numbers that are not here yet match nothing, rather than everything.
  expect(matching(sns, { sn: '', batch: 'autumn' }, undefined)).toEqual([])
})
