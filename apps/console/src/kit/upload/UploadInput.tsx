import { uploadInfo } from '@campanile/contract/file'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { calls } from '../calls.ts'
import type { InputProps } from '../inputs/input-props.ts'
import { sizeText } from '../size.ts'
import { DropZone } from './DropZone.tsx'
import { isThere } from './machine.ts'
import { UploadRow } from './UploadRow.tsx'
import { uploads, useUploads } from './uploads.ts'
import { useChoice } from './useChoice.ts'
import './upload.css'

/** While a file is on its way the form holds this, which no rule takes: it cannot be saved without the file. */
const onItsWay = 0

/** One file, sent in parts while the rest of the form is filled in; the row takes it once the form is saved. */
export function UploadInput(props: InputProps) {
  const { id, name, field, reader, value, row, onChange, onBlur, disabled, invalid, describedBy } = props
  const { t } = reader
  const purpose = field.purpose ?? ''
  const items = useUploads(purpose)
  const [key, setKey] = useState<string>()
  const { rule, faults, judge, limits } = useChoice(purpose)
  // One that was under way before the page was loaded anew is offered to go on with.
  const item =
    items.find((each) => each.key === key) ?? items.find(({ stand }) => value !== undefined && stand === 'file')
  const there = item && isThere(item.state) ? item.standing?.id : undefined
  const held = typeof value === 'number' && value > 0 ? value : undefined
  const stored = useQuery({
    queryKey: ['upload', held],
    queryFn: ({ signal }) => calls.call(uploadInfo, { id: held ?? 0 }, { signal }),
    enabled: held !== undefined && item === undefined,
    retry: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each file that arrives
  useEffect(() => {
    if (there !== undefined && there !== value) onChange(there)
  }, [there])
  const remove = () => {
    if (key !== undefined) uploads.forget(key)
    setKey(undefined)
    onChange(null)
  }
  if (disabled && row !== undefined) return <span>{typeof row.fileName === 'string' ? row.fileName : '–'}</span>
  const shown = item ?? stored.data
  return (
    <div className="upload-input">
      {item ? (
        <ul className="upload-rows" aria-label={reader.field(name)}>
          <UploadRow
            item={item}
            onGone={() => {
              setKey(undefined)
              onChange(null)
            }}
          />
        </ul>
      ) : (
        stored.data && (
          <p>
            {stored.data.name} <span className="quiet">{sizeText(stored.data.size, reader)}</span>
          </p>
        )
      )}
      {shown === undefined ? (
        <DropZone
          id={id}
          label={t('upload.chooseFile')}
          help={limits}
          accept={rule.extensions}
          multiple={false}
          disabled={disabled}
          invalid={invalid}
          describedBy={describedBy}
          onBlur={onBlur}
          onFiles={(files) => {
            const [added] = uploads.add(purpose, judge(files, 1))
            if (added === undefined) return
            setKey(added)
            onChange(onItsWay)
          }}
        />
      ) : (
        held !== undefined && (
          <Button id={id} size="small" onClick={remove}>
            {t('kit.file.replace')}
          </Button>
        )
      )}
      {faults.map((fault) => (
        <div key={fault} className="field-error" role="alert">
          {fault}
        </div>
      ))}
    </div>
  )
}
