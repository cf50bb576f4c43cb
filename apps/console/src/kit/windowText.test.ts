// @vitest-environment happy-dom

import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { changeLanguage, currentLanguage, loadShellTexts, startTexts } from '../shell/texts.ts'
import { windowText } from './windowText.ts'

const weekend = { hours: '01:00–04:00 Europe/Berlin', days: [6, 7], of: ['Harbour Group'] }
const say = (more: object = {}) =>
  windowText({ t: (key, values) => i18next.t(key, values ?? {}), language: currentLanguage() }, { ...weekend, ...more })

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
})

it('says on which days a maintenance window begins, by whose clocks, and whose it is', () => {
  expect(say()).toBe('Saturday and Sunday 01:00–04:00 (Europe/Berlin), from Harbour Group')
  expect(say({ days: null })).toBe('Every day 01:00–04:00 (Europe/Berlin), from Harbour Group')
  expect(say({ days: [1, 2, 3, 4, 5] })).toBe('Monday to Friday 01:00–04:00 (Europe/Berlin), from Harbour Group')
  expect(say({ days: [1, 3, 5] })).toMatch(/^Monday, Wednesday and Friday 01:00/)
})

it('names an organisation above the reader’s reach by what it is, and not all of many', () => {
  expect(say({ of: [] })).toMatch(/, from an organisation above$/)
  expect(say({ of: ['A', 'B', 'C', 'D', 'E'] })).toMatch(/, from A, B, C and 2 others$/)
  expect(say({ of: null })).toMatch(/\(Europe\/Berlin\)$/)
})

it('says the same in Chinese', async () => {
  await changeLanguage('zh-TW')
  expect(say()).toBe('星期六和星期日 01:00–04:00（Europe/Berlin），來自 Harbour Group')
})
