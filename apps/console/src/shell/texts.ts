import { atOnce, ofRooms } from 'virtual:texts'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import {
  type Language,
  markDocument,
  storedLanguage,
  storeLanguage,
  toLanguage,
  watchStoredLanguage,
} from './language.ts'

/** What the sign-in page says. */
const first = ['signIn']
/** What the shell says: names of screens, its own words, the kit's, and the codes every route may answer. */
const ofShell = ['names', 'shell', 'kit', 'api']

/** Rooms that have been shown: their texts are there in whatever language the page is in. */
const shown = new Set<string>()
const loaded = new Set<string>()

async function load(language: Language): Promise<void> {
  const missing = [...shown].filter((room) => !loaded.has(`${language}/${room}`))
  await Promise.all(
    missing.map(async (room) => {
      const own = await (atOnce[language][room] ?? (await ofRooms[language]()).texts[room])?.()
      loaded.add(`${language}/${room}`)
      if (own) i18next.addResourceBundle(language, 'translation', own.default, true, true)
    }),
  )
}

export async function startTexts(language: Language): Promise<void> {
  loaded.clear()
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: {},
    keySeparator: '.',
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  await loadTexts(first)
  markDocument(language)
  // Another window of this browser has been given another language: this one speaks it too.
  watchStoredLanguage(() => void speak(storedLanguage() ?? language))
}

/** Called when the shell starts; the sign-in texts are there already. */
export const loadShellTexts = (): Promise<void> => {
  // Where the texts of rooms are is wanted next; it comes beside those of the shell.
  void ofRooms[currentLanguage()]().catch(() => undefined)
  return loadTexts(ofShell)
}

/** Called before a screen of these rooms is drawn. A room without texts has none to wait for. */
export async function loadTexts(rooms: readonly string[]): Promise<void> {
  for (const room of rooms) shown.add(room)
  const language = currentLanguage()
  await load(language)
  // The language was changed while they were on their way.
  if (language !== currentLanguage()) await load(currentLanguage())
}

export const currentLanguage = (): Language => toLanguage(i18next.language) ?? 'en'

/** Every room in sight has its texts before the page changes, so that it changes at once and whole. */
async function speak(language: Language): Promise<void> {
  await load(language)
  await i18next.changeLanguage(language)
  markDocument(language)
}

export async function changeLanguage(language: Language): Promise<void> {
  await speak(language)
  storeLanguage(language)
}
