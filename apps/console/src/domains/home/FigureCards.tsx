import type { HomeSummary } from '@campanile/contract/home'
import { user } from '@campanile/contract/identity'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePermitted } from '../../kit/index.ts'
import { figuresOf } from './figures.ts'
import { startOfToday } from './useHome.ts'

/** Each figure is a link to the rows behind it. */
export function FigureCards({ summary }: { summary: HomeSummary }) {
  const { t, i18n } = useTranslation()
  const mayUnlock = usePermitted(user.actions.unlock.perm)
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <ul className="figure-cards">
      {figuresOf(summary, startOfToday(), mayUnlock).map(({ name, value, to, sub, urgent }) => (
        <li key={name} className="figure-card" data-urgent={urgent}>
          <span className="figure-label">{t(`home.figure.${name}`)}</span>
          <span className="figure-value">{number.format(value)}</span>
          <span className="figure-sub">
            {urgent && <span aria-hidden="true">◆ </span>}
            {t(
              `home.sub.${sub.key}`,
              sub.count === undefined ? {} : { count: sub.count, shown: number.format(sub.count) },
            )}
          </span>
          <Link to={to} className="figure-link" aria-label={`${t(`home.figure.${name}`)}: ${number.format(value)}`} />
        </li>
      ))}
    </ul>
  )
}
