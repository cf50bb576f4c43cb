import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames, languages } from '../language.ts'
import { globalTitle } from '../runtime.ts'
import { changeSettings, useTheme } from '../settings/settings.ts'
import { Toasts } from '../Toasts.tsx'
import { changeLanguage } from '../texts.ts'
import { Rings } from './Rings.tsx'
import './signIn.css'

/** What the sign-in pages share: the rings, the place for the form, language and theme below it. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  const { t, i18n } = useTranslation()
  const theme = useTheme((state) => state.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the installation's title changes with the language
  useEffect(() => {
    document.title = `${title} - ${globalTitle()}`
  }, [title, i18n.language])
  return (
    <div className="sign-in">
      <Rings />
      <main className="sign-in-side">
        <div className="sign-in-box">
          <h1>{title}</h1>
          {children}
          <footer className="sign-in-foot">
            <ul aria-label={t('signIn.language')}>
              {languages.map((language) => (
                <li key={language}>
                  <button
                    type="button"
                    lang={language}
                    aria-pressed={i18n.language === language}
                    onClick={() => changeLanguage(language)}
                  >
                    {languageNames[language]}
                  </button>
                </li>
              ))}
            </ul>
            <ul aria-label={t('signIn.theme')}>
              {(['light', 'dark'] as const).map((scheme) => (
                <li key={scheme}>
                  <button type="button" aria-pressed={theme === scheme} onClick={() => changeSettings({ scheme })}>
                    {t(`signIn.${scheme}`)}
                  </button>
                </li>
              ))}
            </ul>
          </footer>
        </div>
      </main>
      <Toasts />
    </div>
  )
}
