import type { ReactNode } from 'react'

interface Props {
  /** The same for all that one of is chosen from. */
  name: string
  title: string
  help?: string | undefined
  chosen: boolean
  onChoose: () => void
  /** What else is asked once it is chosen. */
  children?: ReactNode
}

/** One way of several, with what it means. */
export function Choice({ name, title, help, chosen, onChoose, children }: Props) {
  return (
    <div className="compose-choice" data-chosen={chosen}>
      <label>
        <input type="radio" name={name} checked={chosen} onChange={onChoose} />
        <span>
          <strong>{title}</strong>
          {help !== undefined && <span className="quiet">{help}</span>}
        </span>
      </label>
      {chosen && children && <div className="compose-more">{children}</div>}
    </div>
  )
}
