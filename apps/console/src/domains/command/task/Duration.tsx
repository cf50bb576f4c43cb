import { useTranslation } from 'react-i18next'

/** How long it took, in the unit that fits. */
export function Duration({ milliseconds }: { milliseconds: number | null }) {
  const { i18n } = useTranslation()
  if (milliseconds === null) return <span className="nothing">–</span>
  const inUnit = (value: number, unit: string, digits = 0) =>
    new Intl.NumberFormat(i18n.language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value)
  const seconds = milliseconds / 1_000
  return (
    <span className="figure">
      {seconds < 1
        ? inUnit(milliseconds, 'millisecond')
        : seconds < 120
          ? inUnit(seconds, 'second', 1)
          : seconds < 7_200
            ? inUnit(seconds / 60, 'minute', 0)
            : inUnit(seconds / 3_600, 'hour', 1)}
    </span>
  )
}
