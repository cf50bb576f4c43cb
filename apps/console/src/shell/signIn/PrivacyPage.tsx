import type { AnswerOf } from '@campanile/contract/kit'
import type { agreements as agreementsEndpoint } from '@campanile/contract/system'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../api.ts'
import { describeError } from '../errorText.ts'
import { languageNames, languages, toLanguage } from '../language.ts'
import { pickText } from '../localised.ts'
import { globalTitle } from '../runtime.ts'
import { changeLanguage, currentLanguage } from '../texts.ts'
import { Brand } from './Brand.tsx'
import './privacy.css'

type Agreements = AnswerOf<typeof agreementsEndpoint>

const parts = ['privacy', 'service'] as const
type Part = (typeof parts)[number]

/** Public: the sign-in page links here before anyone has a session. */
export default function PrivacyPage() {
  const { t } = useTranslation()
  const language = currentLanguage()
  const [params, setParams] = useSearchParams()
  const part: Part = params.get('tab') === 'service' ? 'service' : 'privacy'
  const [agreements, setAgreements] = useState<Agreements>()
  const [fault, setFault] = useState<string>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the server answers in the language asked for
  useEffect(() => {
    api
      .call<Agreements>('GET', '/api/v1/agreements')
      .then(setAgreements, (error) => setFault(describeError(error).text))
  }, [language])

  const title = t(`signIn.${part}`)
  useEffect(() => {
    document.title = `${title} - ${globalTitle()}`
  }, [title])

  const text = agreements && (part === 'service' ? agreements.serviceAgreement : agreements.privacyPolicy)
  const shown = text && pickText(text, language)

  return (
    <div className="privacy">
      <header>
        <Brand />
        <select
          aria-label={t('signIn.language')}
          value={language}
          onChange={(event) => changeLanguage(toLanguage(event.target.value) ?? 'en')}
        >
          {languages.map((each) => (
            <option key={each} value={each}>
              {languageNames[each]}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => window.print()}>
          {t('signIn.print')}
        </button>
      </header>
      <nav aria-label={t('signIn.agreements')}>
        {parts.map((each) => (
          <button
            key={each}
            type="button"
            aria-current={part === each ? 'page' : undefined}
            onClick={() => setParams({ tab: each }, { replace: true })}
          >
            {t(`signIn.${each}`)}
          </button>
        ))}
      </nav>
      <main>
        <h1>{title}</h1>
        {fault !== undefined && <p role="alert">{fault}</p>}
        {shown?.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </main>
    </div>
  )
}
