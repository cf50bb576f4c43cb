import type { PathStep } from '@campanile/contract/identity'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { stepsAbove } from '../tree/treeRows.ts'

/** The way down to an organisation, each step a link. */
export function Trail({ id, path }: { id: number; path: PathStep[] }) {
  const { t } = useTranslation()
  const steps = stepsAbove({ id, path })
  if (steps.length === 0) return <span>{t('organisation.view.top')}</span>
  return (
    <nav className="trail" aria-label={t('organisation.field.parentId')}>
      {steps.map((step, at) => (
        <span key={step.id}>
          {at > 0 && ' / '}
          <Link to={`/org/view/${step.id}`}>{step.name}</Link>
        </span>
      ))}
    </nav>
  )
}
