import { user } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import type { organisationDetail } from '@campanile/contract/organisation'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePermitted } from '../../../kit/useAction.ts'

type Counts = AnswerOf<typeof organisationDetail>['counts']

/** Figures that lead to the rows behind them; devices and people get their lists with their domains. */
export function Counts({ id, counts }: { id: number; counts: Counts }) {
  const { t, i18n } = useTranslation()
  const maySeeUsers = usePermitted(user.perms.list)
  const figure = new Intl.NumberFormat(i18n.language)
  const cards = [
    { label: t('organisation.view.children'), count: counts.children, to: `/org/list?parentId=${id}` },
    ...(maySeeUsers
      ? [
          {
            label: t('organisation.view.administrators'),
            count: counts.administrators,
            to: `/system/user?departmentId=${id}`,
          },
        ]
      : []),
    { label: t('organisation.field.deviceCount'), count: counts.devices },
    { label: t('organisation.field.personCount'), count: counts.persons },
  ]
  return (
    <ul className="figure-cards">
      {cards.map(({ label, count, to }) => (
        <li key={label} className="figure-card">
          <span className="figure-label">{label}</span>
          <span className="figure-value">{figure.format(count)}</span>
          {to !== undefined && (
            <Link to={to} className="figure-link" aria-label={`${label}: ${figure.format(count)}`} />
          )}
        </li>
      ))}
    </ul>
  )
}
