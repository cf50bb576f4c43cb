import { type ReactNode, useId } from 'react'

interface Props {
  number: number
  title: string
  note?: string | undefined
  last?: boolean
  children: ReactNode
}

/** One of the questions the composer asks, in their order. */
export function Step({ number, title, note, last = false, children }: Props) {
  const id = useId()
  return (
    <section className="composer-step" data-last={last} aria-labelledby={id}>
      <span className="composer-number" aria-hidden="true">
        {number}
      </span>
      <div className="composer-step-head">
        <h3 id={id}>{title}</h3>
        {note !== undefined && (
          <span className="quiet" role="status">
            {note}
          </span>
        )}
      </div>
      <div className="composer-step-body">{children}</div>
    </section>
  )
}
