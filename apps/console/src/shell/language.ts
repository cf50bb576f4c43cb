import { onStoredElsewhere, readStored, writeStored } from './storage.ts'

export const languages = ['en', 'zh-CN', 'zh-TW'] as const
export type Language = (typeof languages)[number]

/** Names of the languages in themselves; never translated. */
export const languageNames: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文', 'zh-TW': '繁體中文' }

const htmlLang: Record<Language, string> = { en: 'en', 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant' }

/** The server spells the languages in lower case inside data (`zh-cn`), we spell them as BCP 47 does. */
export function toLanguage(value: unknown): Language | undefined {
  return languages.find((language) => typeof value === 'string' && language.toLowerCase() === value.toLowerCase())
}

export const storedLanguage = (): Language | undefined => toLanguage(readStored('local', 'language'))

/** Stored choice, then the installation's default, then English. The browser's language is not asked. */
export const chooseLanguage = (runtimeDefault: unknown): Language =>
  storedLanguage() ?? toLanguage(runtimeDefault) ?? 'en'

export const storeLanguage = (language: Language): void => writeStored('local', 'language', language)

export const watchStoredLanguage = (changed: () => void): (() => void) => onStoredElsewhere('language', changed)

export function markDocument(language: Language): void {
  document.documentElement.lang = htmlLang[language]
}
