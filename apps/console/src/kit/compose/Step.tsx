import { type ReactNode, useId } from 'react'

interface Props {
  number: number
  title: string
  note?: string | undefined
  last?: boolean
  children: ReactNode
}

/** One of the questions that are asked, in their order. */
export function Step({ number, title, note, last = false, children }: Props) {
  const id = useId()
  return (
    <section className="compose-step" data-last={last} aria-labelledby={id}>
      <span className="compose-number" aria-hidden="true">
        {number}
      </span>
      <div className="compose-head">
        <h3 id={id}>{title}</h3>
        {note !== undefined && (
          <span className="quiet" role="status">
            {note}
          </span>
        )}
      </div>
      <div className="compose-body">{children}</div>
    </section>
  )
}
