import { daysTo1904, epochDay } from '../platform/sheet/cell.ts'
import type { Cell } from '../platform/sheet/write.ts'

/** A cell that cannot be read by its column's kind. */
export const unreadable = Symbol('unreadable')

const dayMs = 86_400_000
/** Before March 1900 spreadsheets count a day that never was; so small a number is no day anybody means. */
const firstDay = 61

/** A moment as spreadsheets keep it, on the clock that is `offsetMs` ahead of UTC. */
export const momentCell = (ms: number, offsetMs: number): Cell => ({
  serial: (Math.floor(ms / 1000) * 1000 + offsetMs) / dayMs + epochDay,
  shows: 'dateTime',
})
export const dateCell = (value: unknown): Cell => ({
  serial: Date.parse(`${value}T00:00:00Z`) / dayMs + epochDay,
  shows: 'date',
})

/** Spreadsheet programs turn what looks like a date into days since 1899-12-30, or since 1904 in some. */
const fromSerial = (text: string, since1904: boolean) => {
  const days = Number(text) + (since1904 ? daysTo1904 : 0)
  return days >= firstDay && days < 2_958_466
    ? new Date(Math.round((days - epochDay) * dayMs)).toISOString()
    : undefined
}

const pad = (part: string) => part.padStart(2, '0')

type Read = string | typeof unreadable

/** A day, also of a cell that holds a time as well. */
const day = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?: \d\d:\d\d:\d\d)?$/

export const readDate = (text: string, since1904 = false): Read => {
  const [, year = '', month = '', date = ''] = day.exec(text) ?? []
  return year ? `${year}-${pad(month)}-${pad(date)}` : (fromSerial(text, since1904)?.slice(0, 10) ?? unreadable)
}

export const readTime = (text: string, since1904 = false): Read => {
  const parts = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  if (!parts) return fromSerial(text, since1904) ?? unreadable
  const [, year, month = '', date = '', hour = '0', minute = '00', second = '00', zone = 'Z'] = parts
  return `${year}-${pad(month)}-${pad(date)}T${pad(hour)}:${minute}:${second}${zone}`
}

export const readMonthDay = (text: string, since1904 = false): Read => {
  const [, month = '', date = ''] = /^(\d{1,2})[-/.月](\d{1,2})日?$/.exec(text) ?? []
  if (month) return `${pad(month)}-${pad(date)}`
  const whole = readDate(text, since1904)
  return whole === unreadable ? unreadable : whole.slice(5)
}

/** A spreadsheet keeps a time of day as a part of a day. */
export const readTimeOfDay = (text: string): Read => {
  const [, hour = '', minute = ''] = /^(\d{1,2})[:：](\d\d)(?::\d\d)?$/.exec(text) ?? []
  if (hour) return `${pad(hour)}:${minute}`
  const part = Number(text)
  if (!(part >= 0 && part < 1)) return unreadable
  const minutes = Math.round(part * 1440) % 1440
  return `${pad(String(Math.floor(minutes / 60)))}:${pad(String(minutes % 60))}`
}

export const splitList = (text: string): string[] =>
  text
    .split(/[,，、;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
