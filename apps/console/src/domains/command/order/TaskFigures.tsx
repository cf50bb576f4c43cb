import { useTranslation } from 'react-i18next'
import { StateMark, type StateTone } from '../../../kit/index.ts'
import './figures.css'

export interface Figures {
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled?: number
  readonly refused?: number
}
export type Figure = 'succeeded' | 'failed' | 'cancelled' | 'refused' | 'waiting'

interface Props extends Figures {
  /** Shows the devices behind a figure; said again, all of them. */
  onShow?: (figure: Figure | undefined) => void
  shown?: Figure | undefined
  /** Figures whose devices stand nowhere. */
  leadsNot?: readonly Figure[]
}

/** How a task stands, told anew as it moves on. What needs a look comes first. */
export function TaskFigures({
  total,
  succeeded,
  failed,
  cancelled = 0,
  refused = 0,
  onShow,
  shown,
  leadsNot = [],
}: Props) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const waiting = total - succeeded - failed - cancelled
  const share = (part: number) => (total === 0 ? 0 : (part / total) * 100)
  const figures: readonly (readonly [Figure, number, StateTone, boolean])[] = [
    ['failed', failed, failed > 0 ? 'bad' : 'off', true],
    ['refused', refused, 'bad', refused > 0],
    ['waiting', waiting, waiting > 0 ? 'accent' : 'off', true],
    ['succeeded', succeeded, 'good', true],
    ['cancelled', cancelled, 'off', cancelled > 0],
  ]
  return (
    <div className="task-figures">
      <div
        className="task-bar"
        role="progressbar"
        aria-label={t('command.figures.progress')}
        aria-valuenow={Math.round(share(total - waiting))}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span data-tone="good" style={{ width: `${share(succeeded)}%` }} />
        <span data-tone={failed > 0 ? 'bad' : 'off'} style={{ width: `${share(failed + cancelled)}%` }} />
      </div>
      <p role="status">
        {figures
          .filter(([, , , there]) => there)
          .map(([figure, count, tone]) => (
            <FigureMark
              key={figure}
              tone={tone}
              text={t(`command.figures.${figure}`, { shown: number.format(count) })}
              pressed={shown === figure}
              onPress={
                onShow && count > 0 && !leadsNot.includes(figure)
                  ? () => onShow(shown === figure ? undefined : figure)
                  : undefined
              }
            />
          ))}
      </p>
    </div>
  )
}

interface MarkProps {
  tone: StateTone
  text: string
  pressed: boolean
  onPress: (() => void) | undefined
}

/** A figure; pressed, it leads to the devices behind it. */
function FigureMark({ tone, text, pressed, onPress }: MarkProps) {
  const { t } = useTranslation()
  const mark = <StateMark tone={tone}>{text}</StateMark>
  if (!onPress) return mark
  return (
    <button
      type="button"
      className="task-figure"
      aria-pressed={pressed}
      title={t(pressed ? 'command.figures.all' : 'command.figures.show')}
      onClick={onPress}
    >
      {mark}
    </button>
  )
}
