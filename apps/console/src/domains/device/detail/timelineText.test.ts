// @vitest-environment happy-dom
import { device } from '@campanile/contract/device'
import i18n from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { createReader } from '../../../kit/reader.ts'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { storyOf } from './timelineText.ts'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command', 'device', 'system'])
})

const time = '2026-01-31T12:00:00Z'
const tell = (entry: Partial<Parameters<typeof storyOf>[0]>) => {
  const tables = [{ dictionary: 'deviceType', code: 2, label: { en: 'Till' }, enabled: true, orderNum: 1 }] as never
  return storyOf({ time, level: 'info', data: {}, ...entry } as never, createReader(device, i18n, tables), (key) =>
    i18n.exists(key),
  )
}

it('tells what was entered in the words of the form, and nothing by a number of ours', () => {
  const after = { sn: 'S1-TILL-01', deviceType: 2, model: 'T2', imei: null, batchNumber: 'B7', departmentId: 16 }
  const { head, more } = tell({ kind: 'operation', title: 'create', data: { username: 'anna', after } })
  expect(head).toBe('Create')
  expect(more).toBe('anna · Device type: Till, Model: T2, Batch number: B7')
})

it('tells what was changed with what it was before, and by the button that did it', () => {
  const data = { username: 'anna', before: { deviceType: 2, model: null }, after: { deviceType: 9, model: 'T2' } }
  expect(tell({ kind: 'operation', title: 'update', data })).toEqual({
    head: 'Update',
    more: 'anna · Device type: Till → Device type 9, Model: – → T2',
  })
  const route = 'POST /api/v3/device/basic/update'
  expect(tell({ kind: 'operation', title: 'update', data: { route } }).head).toBe('Edit device')
})

it('numbers the attempts of what was tried more than once', () => {
  const data = { state: 'failed', reason: 'no space', attempt: 2, creatorName: 'Anna' }
  expect(tell({ kind: 'command', title: 'wipe', data })).toEqual({
    head: 'Wipe',
    more: 'Failed · no space · attempt 2 · Anna',
  })
})

it('says an event that nobody has named in words, and what was looked at without an empty object', () => {
  expect(tell({ kind: 'event', title: 'caseOpened', data: { text: 'door 2' } })).toEqual({
    head: 'Case opened',
    more: 'door 2',
  })
  const { more } = tell({ kind: 'operation', title: 'read', data: { username: 'anna', after: {} } })
  expect(more).toBe('anna')
})
