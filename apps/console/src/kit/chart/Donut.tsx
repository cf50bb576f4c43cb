import type { ReactNode } from 'react'
import './chart.css'

export interface Slice {
  key: string
  label: string
  value: number
  tone: 'good' | 'warning' | 'bad' | 'off' | 'accent'
}
interface Props {
  label: string
  slices: readonly Slice[]
  valueText: (value: number) => string
  /** What stands in the hole. */
  children?: ReactNode
  /** Where a part leads, when it leads somewhere. */
  link?: (slice: Slice, content: ReactNode) => ReactNode
}

const radius = 42
const round = 2 * Math.PI * radius
/** A hair between parts, so that they are told apart without their colours. */
const gap = 1.5

/** Parts of a whole with their words and figures beside them. */
export function Donut({ label, slices, valueText, children, link = (_slice, content) => content }: Props) {
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  let before = 0
  return (
    <figure className="donut" aria-label={label}>
      <div className="donut-ring">
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle className="donut-floor" cx="50" cy="50" r={radius} />
          {slices.map(({ key, value, tone }) => {
            const length = total === 0 ? 0 : (value / total) * round
            const offset = before
            before += length
            return length === 0 ? null : (
              <circle
                key={key}
                className={`donut-${tone}`}
                cx="50"
                cy="50"
                r={radius}
                strokeDasharray={`${Math.max(0.5, length - (length < round ? gap : 0))} ${round}`}
                strokeDashoffset={-offset}
              />
            )
          })}
        </svg>
        <div className="donut-middle">{children}</div>
      </div>
      <figcaption>
        <ul>
          {slices.map((slice) => (
            <li key={slice.key}>
              {link(
                slice,
                <>
                  <i className={`donut-dot donut-${slice.tone}`} aria-hidden="true" />
                  <span>{slice.label}</span>
                  <strong>{valueText(slice.value)}</strong>
                </>,
              )}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
