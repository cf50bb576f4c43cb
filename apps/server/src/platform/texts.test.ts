import { expect, it } from 'vitest'
import { textOf } from './texts.ts'

it('speaks of one row as one, of several as several, and of an unknown number as several', () => {
  const say = (count: number | undefined) =>
    textOf('notification.exportDone.text', 'en', { fileName: 'a.xlsx', rows: String(count) }, count)
  expect(say(1)).toBe('“a.xlsx” with 1 row can be downloaded.')
  expect(say(2)).toBe('“a.xlsx” with 2 rows can be downloaded.')
  expect(say(undefined)).toMatch(/rows can be downloaded/)
  expect(textOf('notification.exportDone.text', 'zh-TW', { fileName: 'a.xlsx', rows: '1' }, 1)).toContain('a.xlsx')
})
