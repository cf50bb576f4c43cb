import type { TFunction } from 'i18next'
import type { SettingName } from './configValues.ts'

/** What the input of any setting is given. */
export interface SettingInputProps {
  id: string
  name: SettingName
  label: string
  value: unknown
  onChange: (value: unknown) => void
  invalid: boolean
  disabled: boolean
  describedBy: string
  /** A secret is stored, although it is never shown. */
  stored: boolean
  t: TFunction
}
