import { useTranslation } from 'react-i18next'
import { useAway } from '../../shell/connection.ts'
import { pagesInSight } from './pagesInSight.ts'
import type { SizeChoice } from './usePageSize.ts'

interface Props {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  /** Absent: the size is fixed. */
  sizes?: { chosen: SizeChoice; fitting: number }
  onPageSize?: (choice: SizeChoice) => void
  /** Too narrow for figures: the page and the last one. */
  narrow?: boolean
}

const sizes = [10, 20, 50, 100]

/** Which page of how many. At an end the arrow stays, so that the focus is not lost with it. */
export function Pager({ page, pageSize, total, onPage, sizes: fit, onPageSize, narrow = false }: Props) {
  const { t } = useTranslation()
  // While the server is away another page would not come: the rows in sight and the page they are of stay together.
  const away = useAway()
  const turn = (to: number) => away || onPage(to)
  const last = Math.max(1, Math.ceil(total / pageSize))
  const isFitting = fit?.chosen === 'fit' && pageSize === fit.fitting
  const arrow = (to: number, label: string, mark: string) => {
    const off = away || to < 1 || to > last
    return (
      <button type="button" aria-label={label} title={label} aria-disabled={off} onClick={() => off || onPage(to)}>
        {mark}
      </button>
    )
  }
  return (
    <nav className="pager" aria-label={t('kit.pages.label')} title={away ? t('kit.pages.away') : undefined}>
      {arrow(page - 1, t('kit.pages.previous'), '‹')}
      {narrow ? (
        <span>{t('kit.pages.ofLast', { page, last })}</span>
      ) : (
        pagesInSight(page, last).map((each, at) =>
          each === 0 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other name than its place
            <span key={`gap-${at}`} aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={each}
              type="button"
              aria-label={t('kit.pages.page', { page: each })}
              aria-current={each === page ? 'page' : undefined}
              aria-disabled={away}
              onClick={() => turn(each)}
            >
              {each}
            </button>
          ),
        )
      )}
      {arrow(page + 1, t('kit.pages.next'), '›')}
      {onPageSize && (
        <select
          aria-label={t('kit.pages.size')}
          value={isFitting ? 'fit' : pageSize}
          disabled={away}
          onChange={({ target: { value } }) => onPageSize(value === 'fit' ? 'fit' : Number(value))}
        >
          {fit && <option value="fit">{t('kit.pages.fit', { size: fit.fitting })}</option>}
          {[...new Set(isFitting ? sizes : [...sizes, pageSize])]
            .sort((a, b) => a - b)
            .map((size) => (
              <option key={size} value={size}>
                {t('kit.pages.perPage', { size })}
              </option>
            ))}
        </select>
      )}
    </nav>
  )
}
