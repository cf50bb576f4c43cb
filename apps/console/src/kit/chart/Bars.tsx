import './chart.css'

interface Bar {
  key: string
  label: string
  /** Parts stacked from the floor up, in the order of `parts`. */
  values: readonly number[]
}
interface Props {
  label: string
  bars: readonly Bar[]
  /** What the parts are called. */
  parts: readonly string[]
  valueText: (value: number) => string
}

/** Stacked bars as a real list: every bar can be reached and read; the drawing is its picture. */
export function Bars({ label, bars, parts, valueText }: Props) {
  const total = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0)
  const highest = Math.max(1, ...bars.map(({ values }) => total(values)))
  return (
    <figure className="bars" aria-label={label}>
      <figcaption className="bars-parts">
        {parts.map((part, at) => (
          <span key={part}>
            <i className={`bars-part-${at}`} aria-hidden="true" /> {part}
          </span>
        ))}
      </figcaption>
      <div className="bars-plot">
        <div className="bars-scale" aria-hidden="true">
          {[highest, highest / 2, 0].map((value) => (
            <span key={value}>{valueText(value)}</span>
          ))}
        </div>
        <ol>
          {bars.map(({ key, label: name, values }) => {
            const words = `${name}: ${values.map((value, at) => `${parts[at]} ${valueText(value)}`).join(', ')}`
            return (
              <li key={key} title={words}>
                <span className="visually-hidden">{words}</span>
                <span className="bars-column" aria-hidden="true">
                  {values.map((value, at) => (
                    <span
                      key={parts[at]}
                      className={`bars-part-${at}`}
                      style={{ height: `${(value / highest) * 100}%` }}
                    />
                  ))}
                </span>
              </li>
            )
          })}
        </ol>
        <div className="bars-ends" aria-hidden="true">
          <span>{bars[0]?.label}</span>
          {bars.length > 1 && <span>{bars.at(-1)?.label}</span>}
        </div>
      </div>
    </figure>
  )
}
