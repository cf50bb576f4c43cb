import { expect, it } from 'vitest'
import { shippedDictionaries } from '../system/dictionaries.ts'
import { leadingValues } from './type-values.ts'

const all = () => true

it('shows printer, cash, disk and network of a till, battery and signal of a handheld, what a robot is at', () => {
  expect(leadingValues(2, all)).toEqual(['printer', 'cash', 'disk', 'networkType'])
  expect(leadingValues(6, all).slice(0, 2)).toEqual(['battery', 'signal'])
  expect(leadingValues(3, all).slice(0, 2)).toEqual(['robotState', 'battery'])
})

it('shows nothing that the device does not tell, and fills up with what any device tells', () => {
  expect(leadingValues(2, (name) => ['cash', 'cpu'].includes(name))).toEqual(['cash', 'cpu'])
  expect(leadingValues(2, () => false)).toEqual([])
})

it('knows every type of the shipped dictionary, and what to do with one that somebody adds', () => {
  for (const { code } of shippedDictionaries.deviceType) expect(leadingValues(code, all)).toHaveLength(4)
  expect(leadingValues(400, all)).toHaveLength(4)
})
