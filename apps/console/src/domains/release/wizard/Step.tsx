import { type ReactNode, useId } from 'react'

interface Props {
  number: number
  title: string
  note?: string | undefined
  last?: boolean
  children: ReactNode
}

/** One of the questions the wizard asks, in their order. */
export function Step({ number, title, note, last = false, children }: Props) {
  const id = useId()
  return (
    <section className="releasing-step" data-last={last} aria-labelledby={id}>
      <span className="releasing-number" aria-hidden="true">
        {number}
      </span>
      <div className="releasing-head">
        <h3 id={id}>{title}</h3>
        {note !== undefined && (
          <span className="quiet" role="status">
            {note}
          </span>
        )}
      </div>
      <div className="releasing-body">{children}</div>
    </section>
  )
}
