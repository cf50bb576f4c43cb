// @vitest-environment happy-dom
import i18n from 'i18next'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeLanguage, loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { columnLabel, loadDeclarations, pathLabel, placeOf } from './logged.ts'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['system'])
})
afterAll(() => changeLanguage('en'))

const label = async (module: string, description: string, ...path: string[]) =>
  pathLabel(path, await loadDeclarations(module, description), i18n)

describe('a value of the log is called', () => {
  it('as the form calls it', async () => {
    expect(await label('device', 'S1', 'deviceType')).toBe('Device type')
    expect(await label('personal', '', 'mobile')).toBe('Mobile')
    expect(await label('config', 'smsWebhook', 'smsWebhook')).toBe('SMS gateway')
  })
  it('as the list calls what it was filtered by', async () => {
    expect(await label('device', 'devices.xlsx', 'filters', 'deviceType')).toBe('Filters · Device type')
    expect(await label('deviceGroup', 'Tills', 'filter', 'deviceType')).toBe('Filter · Device type')
  })
  it('as the composer calls what a command is sent with, and the profile its items', async () => {
    expect(await label('deviceTask', 'message: S1', 'args', 'text')).toBe('What was sent along · Text')
    expect(await label('deviceSetting', 'Night 2', 'items', 'volume')).toMatch(/^\w.* · Volume/)
  })
  it('in words where nobody has named it', async () => {
    expect(await label('device', 'S1', 'batteryLow')).toBe('Battery low')
  })
  it('in the language of the page', async () => {
    await changeLanguage('zh-TW')
    expect(await label('device', 'devices.xlsx', 'filters', 'deviceType')).toMatch(/^篩選條件 · [^\w]+$/)
    await changeLanguage('en')
  })
})

it('a value is read by the declaration it belongs to', async () => {
  const given = await loadDeclarations('device', 'devices.xlsx')
  expect(placeOf(['filters', 'deviceType'], given).field?.dictionary).toBe('deviceType')
  expect(placeOf(['model'], given).field?.kind).toBe('text')
  expect(columnLabel('-createTime', given, i18n)).not.toContain('createTime')
})
