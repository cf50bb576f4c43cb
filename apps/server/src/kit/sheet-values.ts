import type { Cell } from '../platform/sheet/write.ts'

/** A cell that cannot be read by its column's kind. */
export const unreadable = Symbol('unreadable')

const dayMs = 86_400_000
/** Days between 1899-12-30, where spreadsheets begin to count, and 1970. */
const epochDay = 25_569

/** A moment as spreadsheets keep it, on the clock that is `offsetMs` ahead of UTC. */
export const momentCell = (ms: number, offsetMs: number): Cell => ({
  serial: (Math.floor(ms / 1000) * 1000 + offsetMs) / dayMs + epochDay,
  shows: 'dateTime',
})
export const dateCell = (value: unknown): Cell => ({
  serial: Date.parse(`${value}T00:00:00Z`) / dayMs + epochDay,
  shows: 'date',
})

/** Spreadsheet programs turn what looks like a date into days since 1899-12-30. */
const fromSerial = (text: string) => {
  const days = Number(text)
  return days > 0 && days < 2_958_466 ? new Date(Math.round((days - epochDay) * dayMs)).toISOString() : undefined
}

const pad = (part: string) => part.padStart(2, '0')

type Read = string | typeof unreadable

export const readDate = (text: string): Read => {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(text) ?? []
  return year ? `${year}-${pad(month)}-${pad(day)}` : (fromSerial(text)?.slice(0, 10) ?? unreadable)
}

export const readTime = (text: string): Read => {
  const parts = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T ](\d{1,2}):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  if (!parts) return fromSerial(text) ?? unreadable
  const [, year, month = '', day = '', hour = '', minute, second = '00', zone = 'Z'] = parts
  return `${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${minute}:${second}${zone}`
}

export const readMonthDay = (text: string): Read => {
  const [, month = '', day = ''] = /^(\d{1,2})[-/.月](\d{1,2})日?$/.exec(text) ?? []
  return month ? `${pad(month)}-${pad(day)}` : (fromSerial(text)?.slice(5, 10) ?? unreadable)
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
