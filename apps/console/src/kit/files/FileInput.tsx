import { isApiError } from '@campanile/client'
import type { FileValue } from '@campanile/contract/kit'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { describeError } from '../../shell/errorText.ts'
import { calls } from '../calls.ts'
import type { InputProps } from '../inputs/input-props.ts'
import { sizeText } from '../size.ts'
import { Picture, RowFile, RowPicture } from './RowFile.tsx'
import { useFileChooser } from './useFileChooser.tsx'
import { useObjectUrl } from './useObjectUrl.ts'

/** While a file is on its way the form holds this, which no rule takes: it cannot be saved without the file. */
const onItsWay = { id: 0 }
const isFile = (value: unknown): value is FileValue =>
  typeof value === 'object' && value !== null && 'name' in value && 'size' in value

/** Sent as soon as it is chosen; the row holds it once the form is saved. */
export function FileInput(props: InputProps) {
  const { id, name, field, resource, reader, value, row, onChange, onBlur, disabled, invalid, describedBy } = props
  const { t } = reader
  const sending = useRef<AbortController>(undefined)
  const [share, setShare] = useState<number>()
  const [chosen, setChosen] = useState<File>()
  const preview = useObjectUrl(field.kind === 'image' ? chosen : undefined)
  useEffect(() => () => sending.current?.abort(), [])

  const stored = isFile(value) && row !== undefined && isSame(row[name], value) ? row.id : undefined

  const send = async (file: File) => {
    const before = value
    const line = new AbortController()
    sending.current = line
    setChosen(file)
    setShare(0)
    onChange(onItsWay)
    try {
      onChange(await calls.sendFile(resource, name, file, { signal: line.signal, onProgress: setShare }))
    } catch (error) {
      if (line.signal.aborted && sending.current !== line) return
      setChosen(undefined)
      onChange(before)
      if (!line.signal.aborted) setFault(`${describeError(error).text}${isApiError(error) ? ` (${error.code})` : ''}`)
    } finally {
      setShare(undefined)
    }
  }
  const { open, input, limits, fault, setFault } = useFileChooser({
    field,
    label: reader.field(name),
    reader,
    onChosen: send,
  })
  const remove = () => {
    setChosen(undefined)
    setFault(undefined)
    onChange(null)
  }

  const shown = () => {
    if (share !== undefined)
      return (
        <div className="file-sending">
          <progress max={1} value={share} aria-label={t('kit.file.sending', { name: chosen?.name })} />
          <Button size="small" onClick={() => sending.current?.abort()}>
            {t('kit.cancel')}
          </Button>
        </div>
      )
    if (!isFile(value)) return null
    if (stored === undefined)
      return field.kind === 'image' ? (
        <Picture url={preview} name={value.name} />
      ) : (
        <span>
          {value.name} <span className="quiet">{sizeText(value.size, reader)}</span>
        </span>
      )
    const held = { resource, name, id: stored, value }
    return field.kind === 'image' ? <RowPicture {...held} /> : <RowFile {...held} reader={reader} />
  }

  return (
    <div className="file-input">
      {shown()}
      {share === undefined && (
        <div className="file-buttons">
          <Button
            id={id}
            disabled={disabled}
            danger={invalid}
            aria-describedby={[`${id}-limits`, describedBy].filter(Boolean).join(' ')}
            onClick={open}
            onBlur={onBlur}
          >
            {t(isFile(value) ? 'kit.file.replace' : 'kit.file.choose')}
          </Button>
          {isFile(value) && !field.required && (
            <Button disabled={disabled} onClick={remove}>
              {t('kit.file.remove')}
            </Button>
          )}
        </div>
      )}
      {input}
      <div id={`${id}-limits`} className="field-help">
        {limits}
      </div>
      {fault !== undefined && (
        <div className="field-error" role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}

const isSame = (held: unknown, value: FileValue) => isFile(held) && held.id === value.id
