import { describe, expect, it } from 'vitest'
import { errorRanges, serialAfterColon } from '../api/ranges.ts'
import { errorByCode, errorCatalogue } from '../errors.ts'
import { type ErrorSpec, importFeedback, parseSubject, partialSuccess } from '../kit/errors.ts'
import { flatten, type Language, languages, textFiles } from '../test/texts.ts'

type Texts = Readonly<Record<string, string>>

/** What one word of the texts says, from whatever rooms it stands in. */
const said = (language: Language, word: string): Texts =>
  Object.fromEntries(textFiles(language).flatMap((file) => (file.word === word ? flatten(file.texts) : [])))
const inEach = (word: string): Record<string, Texts> =>
  Object.fromEntries(languages.map((language) => [language, said(language, word)]))
const errors = inEach('error')
const messages = inEach('message')
const all = (language: string) => [
  ...Object.entries(errors[language] ?? {}),
  ...Object.entries(messages[language] ?? {}),
]

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

const wanted = () => {
  const keys = new Map<string, readonly string[]>([
    [String(partialSuccess), []],
    [String(importFeedback), []],
    ['undefined', []],
  ])
  for (const spec of errorByCode.values()) {
    keys.set(String(spec.code), [...(spec.values ?? [])].sort())
    if (spec.variant) keys.set(`${spec.code}_${spec.variant}`, [...(spec.values ?? []), spec.variant].sort())
  }
  for (const [first, last] of errorRanges) {
    const codes = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    if (codes.some((code) => !errorByCode.has(code) && code !== partialSuccess)) keys.set(`range.${first}`, [])
  }
  return keys
}

/** Every character of one block of an old double-byte encoding. Those encodings knew one script each. */
const charactersOf = (encoding: string, leads: readonly [number, number], trails: readonly [number, number][]) => {
  const decoder = new TextDecoder(encoding)
  const characters = new Set<string>()
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (const [first, last] of trails)
      for (let trail = first; trail <= last; trail++) characters.add(decoder.decode(Uint8Array.of(lead, trail)))
  return characters
}
/** GB 2312 holds simplified characters only. */
const simplified = charactersOf('gbk', [0xb0, 0xf7], [[0xa1, 0xfe]])
/** Big5 without its Hong Kong extensions holds traditional characters only. */
const traditional = charactersOf(
  'big5',
  [0xa4, 0xf9],
  [
    [0x40, 0x7e],
    [0xa1, 0xfe],
  ],
)

const mainlandWords =
  /設備|用戶|賬號|登錄|導入|導出|服務器|網絡|短信|數據|信息|默認|菜單|軟件|固件|模板|密鑰|證書|激活|圍欄|批量|審批|充值|保存|搜索|加載|禁用|文件|列表|分辨率|刷新|字符|機構|序列號|視頻|攝像頭|教職工|通話錄/
const taiwanWords =
  /装置|使用者名|帐号|登入|登出|汇入|汇出|伺服器|网路|简讯|资料|讯息|预设|选单|软体|韧体|范本|金钥|凭证|启用码|围篱|批次发|签核|储值|储存|搜寻|载入|停用|档案|清单|解析度|重新整理|字元|序号/

describe.each(languages)('the texts in %s', (language) => {
  it('cover every code, variant and open range, and nothing else', () => {
    expect(Object.keys(errors[language] ?? {}).sort()).toEqual([...wanted().keys()].sort())
  })

  it('stand with the room that answers them', () => {
    const rooms = Object.fromEntries(
      Object.entries(errorCatalogue).flatMap(([word, own]) =>
        // What any import answers stands with what any call answers.
        Object.values<ErrorSpec>(own).map(({ code }) => [code, word === 'spreadsheet' ? 'api' : word]),
      ),
    )
    const astray = textFiles(language).flatMap(({ room, word, texts }) =>
      word === 'error' ? Object.keys(texts).filter((key) => (rooms[Number.parseInt(key, 10)] ?? 'api') !== room) : [],
    )
    expect(astray).toEqual([])
  })

  it('name exactly the values the code supplies', () => {
    const own = errors[language] ?? {}
    const wrong = [...wanted()].filter(([key, values]) => placeholders(own[key] ?? '').join() !== values.join())
    expect(wrong).toEqual([])
  })

  it('say something and are trimmed', () => {
    expect(all(language).filter(([, text]) => text.trim() !== text || text.length < 3)).toEqual([])
  })

  it('end with the colon and the serial number that the console takes out again', () => {
    const rendered = serialAfterColon.map((code) => errors[language]?.[code]?.replace('{{sn}}', 'SN-0042') ?? '')
    expect(rendered.map(parseSubject)).toEqual(serialAfterColon.map(() => 'SN-0042'))
    expect(parseSubject(errors[language]?.[53088]?.replace('{{departmentId}}', '17') ?? '')).toBe('17')
  })
})

describe('the messages', () => {
  it.each(languages)('in %s have the keys and values of the English ones', (language) => {
    const shape = (texts: Texts) => Object.entries(texts).map(([key, text]) => [key, placeholders(text)])
    expect(shape(messages[language] ?? {})).toEqual(shape(messages.en ?? {}))
  })
})

describe('each language keeps to itself', () => {
  const foreign = (language: string, script: ReadonlySet<string>) =>
    all(language).filter(([, text]) =>
      (text.match(/\p{Script=Han}/gu) ?? []).some((character) => !script.has(character)),
    )

  it('English has no Chinese in it and Chinese is no copy of the English', () => {
    expect(all('en').filter(([, text]) => /\p{Script=Han}|[，。：「」]/u.test(text))).toEqual([])
    for (const language of ['zh-CN', 'zh-TW']) {
      expect(all(language).filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([])
    }
  })

  it('the two scripts can be told apart', () => {
    expect([...'设备账录导'].filter((character) => traditional.has(character))).toEqual([])
    expect([...'裝備帳錄導'].filter((character) => simplified.has(character))).toEqual([])
  })

  it('zh-CN uses no traditional characters and no Taiwan wording', () => {
    expect(foreign('zh-CN', simplified)).toEqual([])
    expect(all('zh-CN').filter(([, text]) => taiwanWords.test(text))).toEqual([])
  })

  it('zh-TW uses no simplified characters and no mainland wording', () => {
    expect(foreign('zh-TW', traditional)).toEqual([])
    expect(all('zh-TW').filter(([, text]) => mainlandWords.test(text))).toEqual([])
  })

  it('English is spelt the British way and never just says that something failed', () => {
    const american = /\b(organization|authoriz|color\b|center\b|canceled|canceling|synchroniz|recogniz)/i
    expect(all('en').filter(([, text]) => american.test(text) || /operation failed/i.test(text))).toEqual([])
  })
})
