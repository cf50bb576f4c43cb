import type { Field, Resource } from '@campanile/contract/kit'
import type { AnyRow, Reader } from '../reader.ts'

/** What an input of any kind is given. */
export interface InputProps {
  id: string
  name: string
  field: Field
  resource: Resource
  reader: Reader
  value: unknown
  /** The whole form, for a field whose choices hang on another. */
  values: Readonly<Record<string, unknown>>
  onChange: (value: unknown) => void
  /** Leaving the field: the moment its error may show. */
  onBlur: () => void
  invalid: boolean
  disabled: boolean
  /** Ids of the help and error texts. */
  describedBy: string | undefined
  row: AnyRow | undefined
  repeat: string
  onRepeat: (text: string) => void
}
