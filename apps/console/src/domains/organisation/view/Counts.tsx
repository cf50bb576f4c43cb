import { user } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { licenceCounts } from '@campanile/contract/licence'
import type { organisationDetail } from '@campanile/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls } from '../../../kit/index.ts'
import { usePermitted } from '../../../kit/useAction.ts'

type Counts = AnswerOf<typeof organisationDetail>['counts']

/** Figures that lead to the rows behind them. */
export function Counts({ id, counts }: { id: number; counts: Counts }) {
  const { t, i18n } = useTranslation()
  const maySeeUsers = usePermitted(user.perms.list)
  const { data: licences } = useQuery({
    queryKey: [licenceCounts.name, id],
    queryFn: ({ signal }) => calls.call(licenceCounts, { departmentId: id }, { signal }),
  })
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
    ...(counts.devices === null ? [] : [{ label: t('organisation.field.deviceCount'), count: counts.devices }]),
    ...(counts.persons === null ? [] : [{ label: t('organisation.field.personCount'), count: counts.persons }]),
    ...(licences?.rows ?? []).map(({ kind, active, expiring }) => ({
      label: t('organisation.view.licences', { kind: t(`${kind}Licence.title`) }),
      count: active + expiring,
      to: `/device/license/${kind}?departmentId=${id}&state=active&state=expiring`,
    })),
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
