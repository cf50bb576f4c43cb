// @vitest-environment happy-dom

import { ofRooms } from 'virtual:texts'
import { ApiError } from '@campanile/client'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import message from '../../../../packages/contract/src/texts/en/signIn/message.json'
import signIn from '../../../../packages/contract/src/texts/en/signIn/signIn.json'
import { describeError } from './errorText.ts'
import { keepPermissionsIn } from './granted.ts'
import { queryClient } from './queryClient.ts'

const all = await (await ofRooms.en()).texts.errors?.()
const error = all?.default.error as Record<string, string> & { range: object }
const ranges = error.range as Record<string, string>

const api = (code: number, text = '', data?: unknown) =>
  new ApiError({ kind: 'api', code, status: 400, message: text, data })

beforeAll(() =>
  i18next.init({
    lng: 'en',
    resources: { en: { translation: { error, message, signIn } } },
    interpolation: { escapeValue: false },
  }),
)

describe('what a failed call says', () => {
  it('has the code in its title and our words for it', () => {
    expect(describeError(api(21251, 'server words'))).toMatchObject({ title: 'Error (21251)', text: error['21251'] })
  })

  it('a missing code and code 0 both say that the service is busy', () => {
    expect(describeError(api(100004)).text).toBe(error['100004'])
    expect(describeError(api(0))).toMatchObject({ title: 'Error (0)', text: error['100004'] })
  })

  it('a code known only by its range lets the server speak, if it does', () => {
    expect(describeError(api(207003, 'Exactly this'))).toMatchObject({ text: 'Exactly this' })
    expect(describeError(api(207003)).text).toBe(ranges['207000'])
    expect(describeError(api(999999)).text).toBe(error.undefined)
  })

  it('a code of a room that is not open is told in the words of the server', () => {
    const words = error['60001'] as string
    i18next.removeResourceBundle('en', 'translation')
    i18next.addResourceBundle('en', 'translation', { message, signIn })
    expect(describeError(api(60001, words)).text).toBe(words)
    i18next.addResourceBundle('en', 'translation', { error }, true, true)
  })

  it('names the device and leads nowhere for whoever may not open its page', () => {
    keepPermissionsIn(() => ['device:list:list'])
    const { text, link } = describeError(api(93028, 'Task running: HP620-1'))
    expect(text).toContain('HP620-1')
    expect(link).toBeUndefined()
  })

  it.each(['Task running: HP620-1', '任务进行中：HP620-1', 'at 10:30: HP620-1 '])(
    'links the device named in "%s"',
    (text) => {
      keepPermissionsIn(() => ['device:list:detail'])
      const { text: shown, link } = describeError(api(93028, text))
      expect(link).toEqual({ label: 'HP620-1', to: '/device/list/detail/HP620-1' })
      expect(shown).toContain('HP620-1')
    },
  )

  it('names the department of 53088', () => {
    expect(describeError(api(53088, 'running: 17')).text).toContain('17')
    queryClient.setQueryData(['departments', {}, false], [{ id: 17, name: 'Store Glenwood' }])
    expect(describeError(api(53088, 'running: 17')).text).toMatch(/Store Glenwood$/)
  })

  it.each([
    ['network', message.networkError],
    ['timeout', message.networkTimeout],
    ['session', message.loggedOut],
  ] as const)('%s failures have their own words', (kind, text) => {
    expect(describeError(new ApiError({ kind, code: 0, status: 0, message: '' })).text).toBe(text)
  })

  it.each([
    [408, '', message.serviceTimeout],
    [500, '', message.serverError],
    [502, 'Bad Gateway', 'Bad Gateway'],
    [502, '', message.apiError],
  ])('HTTP %i "%s" without a code of ours', (status, statusText, text) => {
    const failure = new ApiError({ kind: 'http', code: 100004, status, message: statusText })
    expect(describeError(failure)).toEqual({ title: `Error (${status})`, text })
  })
})
