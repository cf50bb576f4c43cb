import { useTranslation } from 'react-i18next'
import { useRuntime } from '../../../shell/runtime.ts'
import { hintsFor, limitsOf } from './passwordHints.ts'

/** What a new password still lacks: a mark and a word for each rule, and how many are kept. */
export function PasswordRules({ id, password }: { id: string; password: string }) {
  const { t } = useTranslation()
  const profile = useRuntime((runtime) => runtime.passwordProfile)
  const hints = hintsFor(profile, password)
  const kept = hints.filter((hint) => hint.holds).length
  return (
    <div id={id} className="password-rules">
      <p>{t('personal.password.rules', { kept, total: hints.length })}</p>
      <ul>
        {hints.map(({ rule, holds }) => (
          <li key={rule} data-holds={holds}>
            <span aria-hidden="true">{holds ? '✓' : '○'}</span> {t(`personal.password.rule.${rule}`, limitsOf(profile))}
            <span className="visually-hidden">{t(holds ? 'personal.password.kept' : 'personal.password.open')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
