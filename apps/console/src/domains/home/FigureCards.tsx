import type { HomeSummary } from '@campanile/contract/home'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { figuresOf } from './figures.ts'
import { startOfToday } from './useHome.ts'

/** Each figure is a link to the rows behind it. */
export function FigureCards({ summary }: { summary: HomeSummary }) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <ul className="figure-cards people-figures">
      {figuresOf(summary, startOfToday()).map(({ name, value, to, sub }) => (
        <li key={name} className="figure-card">
          <span className="figure-label">{t(`home.figure.${name}`)}</span>
          <span className="figure-line">
            <span className="figure-value">{number.format(value)}</span>
          </span>
          <span className="figure-sub">
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
