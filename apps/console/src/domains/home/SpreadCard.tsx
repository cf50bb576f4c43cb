import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { HomeCard } from './HomeCard.tsx'
import { type SpreadKind, useSpread } from './useFleet.ts'

const shown = 6
/** The list asked for exactly what was counted: "3.2.1" is not also "13.2.10". */
const filterOf: Record<SpreadKind, (name: string) => Record<string, string>> = {
  firmware: (name) => ({ firmwareVersion: `"${name}"` }),
  model: (name) => ({ model: `"${name}"` }),
  app: (name) => ({ app: name }),
}

/** The most common ones; each leads to the devices that have it. */
export function SpreadCard({ kind }: { kind: SpreadKind }) {
  const { t, i18n } = useTranslation()
  const query = useSpread(kind)
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <HomeCard
      title={t(`home.spread.${kind}`)}
      query={query}
      isEmpty={(entries) => entries.length === 0}
      empty={t(`home.spread.${kind}Empty`)}
      aside={
        query.data &&
        query.data.length > shown && (
          <span className="quiet">{t('home.spread.more', { count: query.data.length - shown })}</span>
        )
      }
    >
      {(entries) => {
        const most = entries[0]?.[1] ?? 1
        return (
          <ul className="most-common">
            {entries.slice(0, shown).map(([name, count]) => (
              <li key={name}>
                <Link to={`/device/list?${new URLSearchParams(filterOf[kind](name))}`}>
                  <span className="mono" title={name}>
                    {name}
                  </span>
                  <span className="spread-bar" aria-hidden="true">
                    <span style={{ width: `${(count / most) * 100}%` }} />
                  </span>
                  <span className="figure">{number.format(count)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }}
    </HomeCard>
  )
}
