import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DropZone } from './DropZone.tsx'
import { isThere } from './machine.ts'
import type { Item } from './queue.ts'
import { UploadRow } from './UploadRow.tsx'
import { uploads, useUploads } from './uploads.ts'
import { useChoice } from './useChoice.ts'
import './upload.css'

interface Props {
  purpose: string
  disabled?: boolean
  /** What became of a file that is there. */
  outcome?: (item: Item) => ReactNode
  /** The keys of what was just chosen. */
  onAdded?: (keys: readonly string[]) => void
}

/** Files for one purpose, several at once: each goes by itself, pauses, goes on, and is found again after F5. */
export function UploadPanel({ purpose, disabled = false, outcome, onAdded }: Props) {
  const { t } = useTranslation()
  const items = useUploads(purpose)
  const { rule, faults, judge, limits } = useChoice(purpose)
  const open = items.filter(({ state }) => !isThere(state)).length
  return (
    <div className="upload-panel">
      <DropZone
        label={t('upload.choose')}
        help={limits}
        accept={rule.extensions}
        multiple
        disabled={disabled}
        onFiles={(files) => onAdded?.(uploads.add(purpose, judge(files, rule.maxFiles - open)))}
      />
      {faults.length > 0 && (
        <ul className="field-error" role="alert">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <ul className="upload-rows" aria-label={t('upload.files')}>
          {items.map((item) => (
            <UploadRow key={item.key} item={item}>
              {isThere(item.state) ? outcome?.(item) : undefined}
            </UploadRow>
          ))}
        </ul>
      )}
    </div>
  )
}
