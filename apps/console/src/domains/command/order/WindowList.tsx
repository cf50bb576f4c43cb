import { deviceTask, type Windows } from '@campanile/contract/command'
import { StateMark, useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'
import { windowText } from '../../../kit/windowText.ts'

/** Maintenance windows: whether each is open or when it opens, and how many are told in it. */
export function WindowList({ windows }: { windows: Windows }) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const time = (text: string) => timeText(new Date(text))
  return (
    <ul aria-label={t('command.window.title')}>
      {windows.map((window) => (
        <li key={`${window.opens} ${window.hours} ${window.days}`}>
          <strong className="figure">{reader.number(window.devices)}</strong>
          <span>
            <StateMark tone={window.open ? 'good' : 'accent'}>
              {window.open
                ? t('command.window.open', { end: time(window.closes) })
                : t('command.window.next', { start: time(window.opens), end: time(window.closes) })}
            </StateMark>{' '}
            <span className="quiet">{windowText(reader, window)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
