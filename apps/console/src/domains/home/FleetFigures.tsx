import type { Statistics } from '@campanile/contract/device'
import { iotLicence } from '@campanile/contract/licence'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePermitted } from '../../kit/index.ts'
import { fleetFigures, robotFigures } from './fleetFigures.ts'

/** The fleet's tallies; each is a link to the devices it counts. */
export function FleetFigures({ statistics, hasRobots }: { statistics: Statistics; hasRobots: boolean }) {
  const { t, i18n } = useTranslation()
  const maySeeLicences = usePermitted(iotLicence.perms.list)
  const rows = [fleetFigures(statistics, maySeeLicences), ...(hasRobots ? [robotFigures(statistics)] : [])]
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <>
      {rows.map((figures) => (
        <ul key={figures[0]?.name} className="figure-cards fleet-figures">
          {figures.map(({ name, value, to, of, more }) => (
            <li key={name} className="figure-card" data-urgent={more?.urgent === true} data-figure={name}>
              <span className="figure-label" title={t(`home.fleetHelp.${name}`)}>
                {t(`home.fleet.${name}`)}
              </span>
              <span className="figure-line">
                <span className="figure-value">{number.format(value)}</span>
                {of !== undefined && of > 0 && <span className="figure-share">{percent.format(value / of)}</span>}
              </span>
              <Link
                to={to}
                className="figure-link"
                aria-label={`${t(`home.fleet.${name}`)}: ${number.format(value)}`}
              />
              {more ? (
                <Link to={more.to} className="figure-sub figure-sub-link" title={t(`home.moreHelp.${more.key}`)}>
                  {more.urgent && <span aria-hidden="true">◆ </span>}
                  {t(`home.more.${more.key}`, { count: more.count, shown: number.format(more.count) })}
                </Link>
              ) : (
                <span className="figure-sub">{t(`home.fleetSub.${name}`)}</span>
              )}
            </li>
          ))}
        </ul>
      ))}
    </>
  )
}
