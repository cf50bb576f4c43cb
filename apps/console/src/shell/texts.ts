import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, markDocument, storeLanguage, toLanguage } from './language.ts'

type Texts = Record<string, unknown>

const files = import.meta.glob<Texts>('../../../../packages/contract/src/texts/*/*.json', { import: 'default' })

const wordsOf = (language: Language) =>
  Object.keys(files).flatMap((path) => {
    const [, inLanguage, word] = /\/texts\/([\w-]+)\/([\w-]+)\.json$/.exec(path) ?? []
    return inLanguage === language && word !== undefined ? [{ word, load: files[path] }] : []
  })

/** The sign-in page must not wait for the texts of every domain. */
const signInWords = ['signIn', 'message']

type Reach = 'signIn' | 'all'
let reach: Reach = 'signIn'

async function load(language: Language): Promise<void> {
  const wanted = wordsOf(language).filter(
    ({ word }) =>
      (reach === 'all' || signInWords.includes(word)) && !i18next.exists(word, { lng: language, returnObjects: true }),
  )
  const loaded = await Promise.all(wanted.map(async ({ word, load }) => [word, await load?.()] as const))
  i18next.addResourceBundle(language, 'translation', Object.fromEntries(loaded), true, true)
}

export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: {},
    keySeparator: '.',
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  await load(language)
  markDocument(language)
}

/** Called when the shell starts; the sign-in texts are there already. */
export async function loadAllTexts(): Promise<void> {
  reach = 'all'
  await load(currentLanguage())
}

export const currentLanguage = (): Language => toLanguage(i18next.language) ?? 'en'

export async function changeLanguage(language: Language): Promise<void> {
  await load(language)
  await i18next.changeLanguage(language)
  markDocument(language)
  storeLanguage(language)
}
