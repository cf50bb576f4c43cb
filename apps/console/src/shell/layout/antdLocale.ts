import type { Locale } from 'antd/es/locale'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import zhTW from 'antd/locale/zh_TW'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import type { Language } from '../language.ts'

const locales: Record<Language, Locale> = { en: enUS, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** Ant Design's own words, and dates, in the language of the console. */
export function antdLocale(language: Language): Locale {
  dayjs.locale(language.toLowerCase())
  return locales[language]
}
