import { deviceTask } from '@campanile/contract/command'
import { StateMark, useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'
import type { Preview } from '../order/useOrder.ts'

type Window = NonNullable<Preview['windows']>[number]

const minuteMs = 60_000
/** How many minutes the longest of these windows is open for. */
export const longestOpen = (windows: readonly Window[] | undefined): number | undefined =>
  windows && windows.length > 0
    ? Math.max(...windows.map(({ opens, closes }) => (Date.parse(closes) - Date.parse(opens)) / minuteMs))
    : undefined

/** In which windows it goes, and to how many in each. */
export function Windows({ windows }: { windows: readonly Window[] }) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const time = (text: string) => timeText(new Date(text))
  return (
    <div className="card composer-refused">
      <h4>{t('composer.windows.title')}</h4>
      <ul aria-label={t('composer.windows.title')}>
        {windows.map(({ hours, opens, closes, open, devices }) => (
          <li key={`${opens} ${hours}`}>
            <strong className="figure">{reader.number(devices)}</strong>
            <span>
              <StateMark tone={open ? 'good' : 'accent'}>
                {open
                  ? t('composer.windows.open', { end: time(closes) })
                  : t('composer.windows.next', { start: time(opens), end: time(closes) })}
              </StateMark>{' '}
              <span className="quiet">{hours}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
