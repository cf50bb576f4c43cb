import { expect, it } from 'vitest'
import { resultWords } from './resultWords.ts'

const known: Record<string, string> = {
  'deviceDetail.value.battery': 'Battery',
  'kit.value.yes': 'Yes',
  'kit.value.comma': ', ',
}
const i18n = { exists: (key: string) => key in known, t: (key: string) => known[key] ?? key } as never

it('tells an answer in labels, and says nothing of one that holds nothing', () => {
  expect(resultWords('{"battery":64,"rootedShell":true,"apps":[1,2]}', i18n)).toBe(
    'Battery: 64, Rooted shell: Yes, Apps: 2',
  )
  expect([resultWords('{}', i18n), resultWords(null, i18n)]).toEqual([undefined, undefined])
})

it('leaves what was cut off, or is no object, as it is', () => {
  expect(resultWords('{"battery":6…', i18n)).toBe('{"battery":6…')
  expect(resultWords('no space left', i18n)).toBe('no space left')
})
