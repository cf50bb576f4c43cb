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
export function SpreadCard({ kind, total }: { kind: SpreadKind; total: number | undefined }) {
  const { t, i18n } = useTranslation()
  const query = useSpread(kind)
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
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
        // A share of all devices one may see; a figure that is not there yet draws no bar.
        const all = Math.max(total ?? 0, entries[0]?.[1] ?? 1)
        return (
          <ul className="most-common">
            {entries.slice(0, shown).map(([name, count]) => (
              <li key={name}>
                <Link
                  to={`/device/list?${new URLSearchParams(filterOf[kind](name))}`}
                  title={t('home.spread.share', { count: all, shown: number.format(count), total: number.format(all) })}
                >
                  <span className="mono" title={name}>
                    {name}
                  </span>
                  <span className="spread-bar" aria-hidden="true">
                    <span style={{ width: `${(count / all) * 100}%` }} />
                  </span>
                  <span className="figure">{number.format(count)}</span>
                  <span className="figure quiet">{percent.format(count / all)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }}
    </HomeCard>
  )
}
