import { contentKinds, type Field } from '@campanile/contract/kit'
import { useRef, useState } from 'react'
import type { Reader } from '../reader.ts'
import { sizeText } from '../size.ts'
import { faultOfFile } from './fileFault.ts'

interface Choosing {
  readonly field: Field
  readonly label: string
  readonly reader: Pick<Reader, 't' | 'number'>
  readonly onChosen: (file: File) => unknown
}

/** Choosing a file for a field: what it may be is said before, and judged by its first bytes before anything is sent. */
export const useFileChooser = ({ field, label, reader, onChosen }: Choosing) => {
  const { t } = reader
  const chooser = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const kinds = (field.accepts ?? []).flatMap((kind) => contentKinds[kind].endings)
  const limits = { kinds: kinds.join(t('kit.value.comma')), size: sizeText(field.maxBytes ?? 0, reader) }
  const judge = async (file: File) => {
    const wrong = await faultOfFile(file, field)
    setFault(wrong && t(`kit.file.${wrong}`, limits))
    if (!wrong) onChosen(file)
  }
  return {
    open: () => chooser.current?.click(),
    limits: t('kit.file.limits', limits),
    fault,
    setFault,
    input: (
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={label}
        accept={kinds.join(',')}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file may be chosen again after it was refused.
          target.value = ''
          if (file) void judge(file)
        }}
      />
    ),
  }
}
