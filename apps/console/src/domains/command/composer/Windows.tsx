import type { Windows as Told } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { WindowList } from '../order/WindowList.tsx'

const minuteMs = 60_000
/** How many minutes the longest of these windows is open for. */
export const longestOpen = (windows: Told | undefined): number | undefined =>
  windows && windows.length > 0
    ? Math.max(...windows.map(({ opens, closes }) => (Date.parse(closes) - Date.parse(opens)) / minuteMs))
    : undefined

/** In which windows it goes, and to how many in each. */
export function Windows({ windows }: { windows: Told }) {
  const { t } = useTranslation()
  return (
    <div className="card">
      <h4>{t('command.window.title')}</h4>
      <WindowList windows={windows} />
    </div>
  )
}
