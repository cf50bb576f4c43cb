import { InboxOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import { filesOfDrop } from './keptFiles.ts'

interface Props {
  id?: string
  label: string
  help: string
  accept: readonly string[]
  multiple: boolean
  disabled?: boolean
  invalid?: boolean
  describedBy?: string | undefined
  onFiles: (files: readonly File[]) => void
  onBlur?: () => void
}

/** Drop files here, or press it to choose them. */
export function DropZone({ id, label, help, accept, multiple, disabled = false, invalid = false, ...props }: Props) {
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <>
      <button
        type="button"
        id={id}
        className="drop-zone"
        data-over={over}
        data-invalid={invalid}
        disabled={disabled}
        aria-describedby={props.describedBy}
        onBlur={props.onBlur}
        onClick={() => chooser.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void filesOfDrop(event.dataTransfer.items).then((files) => files.length > 0 && props.onFiles(files))
        }}
      >
        <InboxOutlined className="drop-icon" />
        <strong>{label}</strong>
        <span className="quiet">{help}</span>
      </button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={multiple}
        aria-label={label}
        accept={accept.join(',')}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // The same file may be chosen again after it was refused.
          target.value = ''
          if (files.length > 0) props.onFiles(files)
        }}
      />
    </>
  )
}
