import { CloseOutlined } from '@ant-design/icons'

interface Props {
  name: string
  count?: string | undefined
  /** What taking it away is called. */
  remove: string
  onRemove: () => void
}

/** Somebody who is meant, with a way to take it back. */
export function Chip({ name, count, remove, onRemove }: Props) {
  return (
    <span className="chip compose-chip">
      <span className="chip-text">{name}</span>
      {count !== undefined && <strong className="figure">{count}</strong>}
      <button type="button" aria-label={remove} onClick={onRemove}>
        <CloseOutlined />
      </button>
    </span>
  )
}
