import { Select } from 'antd'
import { useId } from 'react'
import type { Reader } from '../reader.ts'
import { type Encoding, encodings } from './encodings.ts'

interface Props {
  reader: Reader
  /** As it was read, where anybody knows. */
  value: Encoding | undefined
  unsure: boolean
  onChange: (encoding: Encoding) => void
}

/** How a table that was saved as text is read; another choice is read at once. */
export function EncodingChoice({ reader: { t }, value, unsure, onChange }: Props) {
  const id = useId()
  return (
    <div className="field import-encoding">
      <label htmlFor={id}>{t('transfer.encoding')}</label>
      <Select
        id={id}
        className="whole"
        value={value ?? null}
        placeholder={t('transfer.chooseEncoding')}
        onChange={(next) => next && onChange(next)}
        options={Object.entries(encodings).map(([each, label]) => ({ value: each as Encoding, label }))}
        aria-describedby={`${id}-help`}
      />
      <p id={`${id}-help`} className="field-help">
        {t(unsure ? 'transfer.encodingGuessed' : 'transfer.encodingHelp')}
      </p>
    </div>
  )
}
