import { useTranslation } from 'react-i18next'
import { useRuntime } from '../../shell/runtime.ts'
import { hintsFor, limitsOf } from '../form/secretPolicy.ts'

/** What a new secret still lacks: a mark and a word for each rule, and how many are kept. */
export function SecretRules({ id, secret }: { id: string; secret: string }) {
  const { t } = useTranslation()
  const profile = useRuntime((runtime) => runtime.passwordProfile)
  const hints = hintsFor(profile, secret)
  const kept = hints.filter((hint) => hint.holds).length
  return (
    <div id={id} className="secret-rules">
      <p>{t('kit.secret.rules', { kept, total: hints.length })}</p>
      <ul>
        {hints.map(({ rule, holds }) => (
          <li key={rule} data-holds={holds}>
            <span aria-hidden="true">{holds ? '✓' : '○'}</span> {t(`kit.secret.${rule}`, limitsOf(profile))}
            <span className="visually-hidden">{t(holds ? 'kit.secret.kept' : 'kit.secret.open')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
