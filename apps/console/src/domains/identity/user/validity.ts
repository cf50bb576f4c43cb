import type { TFunction } from 'i18next'

/** A period as one text; both ends open is "always", never an empty cell. */
export function validityText(start: string | null, end: string | null, t: TFunction): string {
  if (start === null && end === null) return t('user.validity.always')
  if (start === null) return t('user.validity.until', { end })
  if (end === null) return t('user.validity.from', { start })
  return t('user.validity.between', { start, end })
}

/** Under the heading "valid until" only the end is news, unless the period has not begun. */
export function validityCell(start: string | null, end: string | null, today: string, t: TFunction): string {
  return end === null || (start !== null && start > today) ? validityText(start, end, t) : end
}
