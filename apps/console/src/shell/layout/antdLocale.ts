import type { Locale } from 'antd/es/locale'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import zhTW from 'antd/es/locale/zh_TW'
import type { Language } from '../language.ts'

/** Ant Design counts rows with the mainland's 條 and calls the choice of a page's size its number. */
const taiwan: Locale = {
  ...zhTW,
  Pagination: { ...zhTW.Pagination, items_per_page: '筆/頁', page_size: '每頁筆數' },
}

const locales: Record<Language, Locale> = { en: enUS, 'zh-CN': zhCN, 'zh-TW': taiwan }

/** Ant Design's own words in the language of the console. */
export const antdLocale = (language: Language): Locale => locales[language]
