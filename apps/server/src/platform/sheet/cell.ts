/** Why what a cell shows is not what somebody meant: its formula failed, or the spreadsheet has rounded its number. */
export type CellFault = 'failed' | 'rounded'

export interface ReadCell {
  readonly text: string
  readonly fault?: CellFault
}

const dayMs = 86_400_000
/** Days between 1899-12-30, where spreadsheets begin to count, and 1970. */
export const epochDay = 25_569
/** Workbooks from a Macintosh may count from 1904-01-01 instead. */
export const daysTo1904 = 1_462
/** 9999-12-31. */
const lastDay = 2_958_465
/** A spreadsheet keeps fifteen digits of a number and makes the others zero. */
const firstRounded = 1e15

const builtInDates = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether a number format shows a day or a time of day. What is in quotation marks, escaped or in brackets is no part of it. */
export const showsMoment = (id: number, code: string | undefined): boolean => {
  if (code === undefined) return builtInDates(id)
  if (/\[(h+|m+|s+)\]/i.test(code)) return false
  const bare = (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')
  return !/general/i.test(bare) && /[ymdhs]/i.test(bare)
}

/** A cell that shows a day or a time says it in words everybody reads: 2026-09-01, 2026-09-01 08:30:00, 08:30:00. */
const momentText = (days: number): string => {
  const [day = '', time = ''] = new Date(Math.round((days - epochDay) * 86_400) * 1000)
    .toISOString()
    .slice(0, 19)
    .split('T')
  if (days < 1) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}

/** A number as people typed it: 20250001 whether it was written 20250001, 20250001.0 or 2.0250001E7. */
export const numberCell = (written: string, isMoment = false, since1904 = false): ReadCell => {
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return { text: written }
  if (isMoment) {
    const days = value + (since1904 && value >= 1 ? daysTo1904 : 0)
    if (days >= 0 && days <= lastDay + 1 - 1 / dayMs) return { text: momentText(days) }
  }
  return Math.abs(value) >= firstRounded ? { text: written, fault: 'rounded' } : { text: String(value) }
}

/** A moment written as ISO 8601 in the file itself. */
export const isoCell = (written: string): ReadCell => ({
  text: written.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace(/^(\d{4}-\d\d-\d\d)T(.*?)(\.\d+)?Z?$/, '$1 $2'),
})
