import type { ReactNode } from 'react'
import './shares.css'

export type ShareTone = 'good' | 'bad' | 'accent' | 'off'
interface Share {
  key: string
  label: ReactNode
  /** As many as there are `parts`, in their order. */
  values: readonly number[]
  /** What stands at the end of the bar. */
  end: string
}
interface Props {
  label: string
  shares: readonly Share[]
  parts: readonly { word: string; tone: ShareTone }[]
  valueText: (value: number) => string
}

/** Bars that lie one below the other, as long as what they stand for and divided into its parts. A real list: the drawing is its picture. */
export function Shares({ label, shares, parts, valueText }: Props) {
  const total = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0)
  const longest = Math.max(1, ...shares.map(({ values }) => total(values)))
  const words = (values: readonly number[]) =>
    parts.map(({ word }, at) => `${word} ${valueText(values[at] ?? 0)}`).join(', ')
  return (
    <figure className="shares" aria-label={label}>
      <figcaption>
        {parts.map(({ word, tone }) => (
          <span key={word}>
            <i className={`share-${tone}`} aria-hidden="true" /> {word}
          </span>
        ))}
      </figcaption>
      <ol>
        {shares.map(({ key, label: name, values, end }) => (
          <li key={key}>
            <span className="share-name">{name}</span>
            <span className="visually-hidden">{words(values)}</span>
            <span className="share-bar" aria-hidden="true" title={words(values)}>
              {parts.map(({ word, tone }, at) => {
                const value = values[at] ?? 0
                return (
                  value > 0 && (
                    <span key={word} className={`share-${tone}`} style={{ width: `${(value / longest) * 100}%` }} />
                  )
                )
              })}
            </span>
            <span className="share-end figure">{end}</span>
          </li>
        ))}
      </ol>
    </figure>
  )
}
