import { type RefusedReason, refusedIn } from '@campanile/contract/command'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SoftTag } from '../cells.tsx'

const namedAtOnce = 6

interface Props {
  refused: readonly RefusedReason[]
  note?: string | undefined
  /** Of all it concerns; the server's own words name the first. */
  words: (reason: RefusedReason) => ReactNode
  /** A way out that this reason alone has. */
  way?: (reason: RefusedReason) => ReactNode
  onLeaveOut: (reasons: readonly RefusedReason[]) => void
}

/** Who cannot take it, by reason, each with its way out. */
export function RefusedGroups({ refused, note, words, way, onLeaveOut }: Props) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const all = refusedIn(refused)
  return (
    <div className="card compose-refused">
      <div className="compose-head">
        <h4>
          {t('compose.refusedTitle')} <SoftTag tone="bad">{number.format(all)}</SoftTag>
        </h4>
        {note !== undefined && <span className="quiet">{note}</span>}
        {refused.length > 1 && (
          <Button size="small" onClick={() => onLeaveOut(refused)}>
            {t('compose.leaveAll', { count: all, shown: number.format(all) })}
          </Button>
        )}
      </div>
      <ul aria-label={t('compose.refusedTitle')}>
        {refused.map((reason) => {
          const { code, count, sns } = reason
          const first = sns.slice(0, namedAtOnce)
          return (
            <li key={code}>
              <strong className="figure">{number.format(count)}</strong>
              <span>
                {words(reason)} <span className="quiet">({code})</span>{' '}
                <span className="mono quiet">
                  {first.join(', ')}
                  {count > first.length && ` +${number.format(count - first.length)}`}
                </span>
              </span>
              {way?.(reason)}
              <Button size="small" onClick={() => onLeaveOut([reason])}>
                {t('compose.leaveThese', { count, shown: number.format(count) })}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
