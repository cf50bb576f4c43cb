import { listFormat, namesListed } from './listed.ts'
import type { Reader } from './reader.ts'

type Words = Pick<Reader, 't' | 'language'>

/** When devices may be worked on, as the server tells it. */
export interface WindowHours {
  /** `01:00–04:00 Europe/Berlin` */
  readonly hours: string
  /** Those on which it begins, Monday is 1; nothing where that is every day. */
  readonly days: readonly number[] | null
  /** Whose it is; none where that stands above what the reader may see. */
  readonly of: readonly string[] | null
}

const week = 7
const namedAtMost = 3

const daysText = ({ t, language }: Words, days: readonly number[] | null): string => {
  const [first = 1] = days ?? []
  const last = days?.at(-1) ?? first
  const name = (day: number) =>
    new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))
  if (days === null || days.length === week) return t('kit.window.daily')
  if (days.length > 2 && last - first === days.length - 1)
    return t('kit.window.through', { first: name(first), last: name(last) })
  return listFormat(language).format(days.map(name))
}

/** “Saturday and Sunday 01:00–04:00 (Europe/Berlin)” */
const hoursText = (words: Words, { hours, days }: Omit<WindowHours, 'of'>): string => {
  const [span, zone] = hours.split(' ')
  return words.t('kit.window.hours', { days: daysText(words, days), span, zone })
}

/** The same with whose it is: “…, from Harbour Group”. */
export const windowText = (reader: Words, window: WindowHours): string => {
  const { t, language } = reader
  const { of } = window
  const text = hoursText(reader, window)
  if (of === null) return text
  if (of.length === 0) return t('kit.window.fromAbove', { text })
  const named = of.slice(0, namedAtMost)
  const rest = of.length - named.length
  const words = rest > 0 ? [...named, t('kit.window.others', { count: rest })] : named
  return t('kit.window.from', { text, names: namesListed(language, words) })
}
