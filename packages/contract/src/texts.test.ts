import { describe, expect, it } from 'vitest'
import {
  commandNames,
  commandReasons,
  commandTextKey,
  configGroups,
  configShape,
  deviceEventKinds,
  eventTextKey,
  messageFaults,
  refusalReasons,
  resources,
  valueKinds,
} from './index.ts'
import { type Language, languages, textFiles, textsOf } from './test/texts.ts'

const all = Object.fromEntries(languages.map((language) => [language, textsOf(language)])) as Record<
  Language,
  ReadonlyMap<string, string>
>
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort()
/** Plurals are an English matter: `_one` stands beside `_other` there only. */
const singular = (key: string) => key.endsWith('_one')

/** Words that go with a number: `count`, or `action.remove` of many. */
const counted = (language: Language, key: string) =>
  language === 'en' ? [`${key}_one`, `${key}_other`] : [`${key}_other`]
/** Nobody ticks several entries of the menu. */
const removedSingly = ['menu']

/** What a declaration needs words for; covers rooms added later without a line here. */
const neededKeys = (language: Language) =>
  resources.flatMap(({ name: resource, fields, form, perms, actions }) =>
    [
      'title',
      'empty',
      ...counted(language, 'count'),
      ...Object.keys(fields).map((field) => `field.${field}`),
      ...Object.entries(fields).flatMap(([name, { options = [], optionText }]) =>
        optionText ? [] : options.map((option) => `option.${name}.${option}`),
      ),
      ...Object.keys(form).map((group) => `group.${group}`),
      ...(['create', 'update', 'remove'] as const).filter((verb) => perms[verb]).map((verb) => `action.${verb}`),
      ...(perms.remove && !removedSingly.includes(resource) ? counted(language, 'action.remove') : []),
      ...Object.entries(actions).flatMap(([action, { fields: asked = {} }]) => [
        `action.${action}`,
        `done.${action}`,
        ...Object.keys(asked).map((field) => `field.${field}`),
      ]),
    ].map((key) => `${resource}.${key}`),
  )
const configKeys = [
  ...Object.keys(configGroups).map((group) => `config.group.${group}`),
  ...Object.keys(configShape).map((key) => `config.field.${key}`),
]

const spokenKeys = [
  ...commandNames.map(commandTextKey),
  ...deviceEventKinds.map(({ type }) => `${eventTextKey(type)}.title`),
]

const reasonKeys = [
  ...Object.keys(commandReasons).map((reason) => `taskDevice.reason.${reason}`),
  ...refusalReasons.flatMap((reason) => [`deviceRefused.refusal.${reason}`, `deviceRefused.refusalHelp.${reason}`]),
  ...messageFaults.map((fault) => `deviceRefused.messageFault.${fault}`),
  ...valueKinds.map((kind) => `device.valueKind.${kind}`),
]

describe.each(languages)('texts in %s', (language) => {
  it('have words for every field, option, group, verb and action of every resource, and say when an action is done', () => {
    // What was done to one thing only needs no number.
    const said = (key: string) => all[language].has(key) || (/\.done\./.test(key) && all[language].has(`${key}_other`))
    const missing = [...neededKeys(language), ...configKeys, ...spokenKeys, ...reasonKeys].filter((key) => !said(key))
    expect(missing.map((key) => key.replace('.', `.json in a folder of texts/${language} lacks `))).toEqual([])
  })

  it('hold the same keys and values to fill in as English', () => {
    const keys = (from: Language) => [...all[from].keys()].filter((key) => !singular(key)).sort()
    expect(keys(language)).toEqual(keys('en'))
    const differing = [...all[language]].filter(
      ([key, text]) => !singular(key) && String(placeholders(text)) !== String(placeholders(all.en.get(key) ?? '')),
    )
    expect(differing).toEqual([])
  })

  it('stand in the same room as in English, and no word in two rooms but the codes', () => {
    const places = (from: Language) => textFiles(from).map(({ room, word }) => `${room}/${word}`)
    expect(places(language)).toEqual(places('en'))
    const words = textFiles(language).map(({ word }) => word)
    expect(words.filter((word, at) => word !== 'error' && words.indexOf(word) !== at)).toEqual([])
  })

  it('leave nothing empty', () => {
    expect([...all[language]].filter(([, text]) => text.trim() === '')).toEqual([])
  })
})

describe('English texts', () => {
  it('that count say one thing and several things', () => {
    // Limits are never one; what is filled in by these names may be.
    const counted = /(?<!of |after |first )\{\{(?:all|count|rows|shown|total)\}\} (?!within)[a-z]{2,}s\b/
    const wrong = [...all.en].filter(([key, text]) => counted.test(text) && !/_(?:one|other)$/.test(key))
    expect(wrong).toEqual([])
  })
})

describe('Chinese texts', () => {
  const sentence = /[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}/
  it.each(['zh-CN', 'zh-TW'] as const)('are translated in %s', (language) => {
    const same = [...all[language]].filter(([key, text]) => text === all.en.get(key) && sentence.test(text))
    expect(same).toEqual([])
  })

  // Characters that exist in one of the two scripts only.
  const simplifiedOnly = [...'设备账录导这时间个关闭删单击择请输无权访问应该网络错误试开启务对组织机构数据显览']
  const traditionalOnly = [...'設備帳錄導這時間個關閉刪單擊擇請輸無權訪問應該網絡錯誤試開啟務對組織機構數據顯覽']
  it.each([
    ['zh-TW', simplifiedOnly],
    ['zh-CN', traditionalOnly],
  ] as const)('stay in one script in %s', (language, foreign) => {
    expect([...all[language]].filter(([, text]) => foreign.some((character) => text.includes(character)))).toEqual([])
  })

  /** What is filled in as a word of the same language; everything else may be a name or a number. */
  const ownWords = 'child|command|expected|fields|label|no|parent|problem|span|time|title|wait|yes'
  const tight = new RegExp(
    `[\\u4e00-\\u9fff]\\{\\{(?!(?:${ownWords})\\}\\})|\\{\\{(?!(?:${ownWords})\\}\\})\\w+\\}\\}[\\u4e00-\\u9fff]`,
  )
  it.each(['zh-CN', 'zh-TW'] as const)(
    'keep a blank beside names and numbers that are filled in, in %s',
    (language) => {
      expect([...all[language]].filter(([, text]) => tight.test(text))).toEqual([])
    },
  )

  /** Words of the mainland, or of another thing, and what a reader in Taiwan is told instead. */
  const notInTaiwan: Readonly<Record<string, string>> = {
    上級: '上層',
    下級: '下層',
    測試模型: '測試機型',
    公網: '對外',
    緊湊: '緊密',
    操作人: '操作者',
    下發: '配發',
    分發: '配發',
    任務: '工單',
    告警: '警示',
    在線: '連線',
    掃碼: '掃描',
    設備: '裝置',
    用戶名: '使用者名稱',
    默認: '預設',
    信息: '資訊',
    網絡: '網路',
    數據: '資料',
    激活: '啟用',
    登錄: '登入',
    服務器: '伺服器',
    菜單: '選單',
    屏幕: '螢幕',
    軟件: '軟體',
    視頻: '視訊',
    導入: '匯入',
    導出: '匯出',
    搜索: '搜尋',
    批量: '批次',
    實時: '即時',
    證書: '憑證',
    密鑰: '金鑰',
  }
  /** Two words that only meet at their ends. */
  const meeting = /操作人員|下發布/g
  it('say in zh-TW what people in Taiwan say, and one word for one thing', () => {
    const wrong = [...all['zh-TW']].flatMap(([key, text]) =>
      Object.entries(notInTaiwan)
        .filter(([word]) => text.replaceAll(meeting, '').includes(word))
        .map(([word, instead]) => `${key}: ${word} is ${instead}`),
    )
    expect(wrong).toEqual([])
  })

  it('call a licence 授權 in both scripts', () => {
    const licences = [...all.en].filter(([key, text]) => /^\w*[lL]icence\.title$/.test(key) && text.includes('licence'))
    for (const [key] of licences)
      expect([all['zh-CN'].get(key), all['zh-TW'].get(key)]).toEqual([
        expect.stringContaining('授权'),
        expect.stringContaining('授權'),
      ])
  })
})

describe('texts in zh-TW', () => {
  /** Words of the mainland, with what Taiwan says instead; a right word that holds one of them is let through by its sides. */
  const said: readonly (readonly [wrong: RegExp, instead: string])[] = [
    [/軟件/, '軟體'],
    [/硬件/, '硬體'],
    [/固件/, '韌體'],
    [/信息/, '訊息、資訊'],
    [/用戶(?!端)/, '使用者'],
    [/默認|缺省/, '預設'],
    [/設置/, '設定'],
    [/網絡/, '網路'],
    [/服務器/, '伺服器'],
    [/登錄/, '登入'],
    [/註銷/, '登出'],
    [/賬/, '帳'],
    [/質量/, '品質'],
    [/視頻/, '影片'],
    [/打印/, '列印'],
    [/界面/, '介面'],
    [/菜單/, '選單'],
    [/搜索/, '搜尋'],
    [/導出/, '匯出'],
    [/導入/, '匯入'],
    [/激活/, '啟用'],
    [/刷新/, '重新整理'],
    [/保存/, '儲存、保管'],
    [/數據/, '資料'],
    [/支持/, '支援'],
    [/創建/, '建立'],
    [/添加/, '新增'],
    [/屏幕|全屏/, '螢幕'],
    [/(?<!應用|小|副)程序/, '程式'],
    [/(?<!API )文件/, '檔案'],
    [/鏈接/, '連結'],
    [/接入/, '連線、加入'],
    [/在線/, '線上、已連線'],
    [/任務/, '工單'],
    [/日誌/, '紀錄、記錄'],
    [/短信/, '簡訊'],
    [/二維碼/, 'QR Code'],
    [/粘貼/, '貼上'],
    [/複製到剪貼板|剪貼板/, '剪貼簿'],
    [/緩存/, '快取'],
    [/卸載/, '解除安裝'],
    [/加載/, '載入'],
    [/內存/, '記憶體'],
    [/硬盤|磁盤/, '磁碟'],
    [/端口/, '連接埠'],
    [/字符/, '字元'],
    [/字段/, '欄位'],
    [/模板/, '範本'],
    [/視圖/, '檢視'],
    [/自定義/, '自訂'],
    [/訪問/, '存取'],
    [/序列號/, '序號'],
    [/信號/, '訊號'],
    [/批量/, '批次'],
    [/遠程/, '遠端'],
    [/實時/, '即時'],
    [/響應/, '回應'],
    [/運行/, '執行'],
    [/配置/, '設定'],
    [/反饋/, '回饋'],
    [/聯繫/, '聯絡'],
    [/上級|下級/, '上層、下層'],
    [/告警/, '警示'],
  ]

  it('say what Taiwan says', () => {
    const found = [...all['zh-TW']].flatMap(([key, text]) =>
      said.filter(([wrong]) => wrong.test(text)).map(([, instead]) => `${key}: ${text} (${instead})`),
    )
    expect(found).toEqual([])
  })

  it('use no simplified character where the traditional one is another', () => {
    const simplified = /[设备务录为这说时间发经现实应动体统组织单报过进还后变开关门问题户网络线录绑]/
    expect([...all['zh-TW']].filter(([, text]) => simplified.test(text)).map(([key]) => key)).toEqual([])
  })
})
