import { cutMark } from '@campanile/contract/command'
import type { i18n as I18n } from 'i18next'
import { humanised } from '../../../kit/humanised.ts'

const parsed = (text: string): unknown => {
  if (text.endsWith(cutMark)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a device answered in a line of words; nothing where it only said that it was done. */
export const resultWords = (text: string | null, i18n: Pick<I18n, 't' | 'exists'>): string | undefined => {
  if (!text) return undefined
  const answer = parsed(text)
  if (typeof answer !== 'object' || answer === null) return text
  const labelOf = (name: string) => {
    const key = [`deviceDetail.value.${name}`, `device.field.${name}`].find((each) => i18n.exists(each))
    return key === undefined ? humanised(name) : i18n.t(key)
  }
  const wordOf = (value: unknown): string => {
    if (typeof value === 'boolean') return i18n.t(value ? 'kit.value.yes' : 'kit.value.no')
    if (Array.isArray(value)) return String(value.length)
    return typeof value === 'object' && value !== null ? String(Object.keys(value).length) : String(value ?? '–')
  }
  const words = Object.entries(answer).map(([name, value]) => `${labelOf(name)}: ${wordOf(value)}`)
  return words.length === 0 ? undefined : words.join(i18n.t('kit.value.comma'))
}
