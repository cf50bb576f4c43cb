import { useTranslation } from 'react-i18next'

interface Props {
  /** Who receives it, and of these who does so at once. */
  receiving: number
  soon: number
  refused: number
  reasons: number
  under?: string | undefined
  facts?: readonly string[]
}

/** How many receive it and how many are refused, in figures and as shares of one bar. */
export function PreviewFigures({ receiving, soon, refused, reasons, under, facts = [] }: Props) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const total = receiving + refused
  const parts = [
    ['good', soon],
    ['accent', receiving - soon],
    ['bad', refused],
  ] as const
  return (
    <div className="card compose-figures">
      <p role="status">
        <strong className="compose-figure">{number.format(receiving)}</strong> {t('compose.receive')}
        {under !== undefined && <span className="quiet compose-under">{under}</span>}
      </p>
      {refused > 0 && (
        <p>
          <strong className="compose-figure" data-tone="bad">
            {number.format(refused)}
          </strong>{' '}
          {t('compose.refused')}
          <span className="quiet compose-under">{t('compose.reasons', { count: reasons })}</span>
        </p>
      )}
      <div className="compose-bar" aria-hidden="true">
        {parts
          .filter(([, part]) => part > 0)
          .map(([tone, part]) => (
            <span key={tone} data-tone={tone} style={{ width: `${(part / total) * 100}%` }} />
          ))}
      </div>
      {facts.length > 0 && <p className="compose-under quiet">{facts.join(' · ')}</p>}
    </div>
  )
}
