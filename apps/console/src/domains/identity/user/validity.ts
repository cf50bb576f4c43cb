import type { TFunction } from 'i18next'

/** A period as one text; both ends open is "always", never an empty cell. */
export function validityText(start: string | null, end: string | null, t: TFunction): string {
  if (start === null && end === null) return t('user.validity.always')
  if (start === null) return t('user.validity.until', { end })
  if (end === null) return t('user.validity.from', { start })
  return t('user.validity.between', { start, end })
}
