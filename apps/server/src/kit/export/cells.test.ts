import { device, queryLog, taskDevice } from '@campanile/contract'
import { expect, it } from 'vitest'
import { createCells } from './cells.ts'

const read = (language: 'en' | 'zh-TW', reason: string | null) => {
  const cells = createCells(taskDevice, { language, timeZone: 'UTC', codes: [] })
  return cells.row(['reason'])({ sn: 'S1', reason })[0]
}

it('a reason that is a code or a word of ours is written in words, and a device’s own words as they are', () => {
  expect(read('en', 'deviceRemoved')).toBe('The device was deleted')
  expect(String(read('en', '93010'))).not.toMatch(/\d{5}|error\./)
  expect(String(read('zh-TW', '93010'))).toMatch(/[\u4e00-\u9fff]/)
  expect(read('en', 'no space left')).toBe('no space left')
  expect(read('en', null)).toBeNull()
})

it('a command is written by its name', () => {
  const cells = createCells(queryLog, { language: 'en', timeZone: 'UTC', codes: [] })
  expect(cells.row(['command'])({ command: 'wipe' })[0]).toBe('Wipe')
  expect(cells.row(['command'])({ command: 'makersOwn' })[0]).toBe('makersOwn')
})

it('a device that was never activated is not written as offline', () => {
  const cells = createCells(device, { language: 'en', timeZone: 'UTC', codes: [] })
  const written = (row: Record<string, unknown>) => cells.row(['iotStatus'])(row)[0]
  expect(written({ iotStatus: 'offline', activationStatus: 0 })).toBe('Not activated')
  expect(written({ iotStatus: 'offline', activationStatus: 2 })).toBe('Offline')
})
