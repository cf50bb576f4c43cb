/** When something comes again, by the clocks of a place. */
export interface Recurrence {
  /** Hours and minutes, `03:30`. */
  readonly at: string
  /** ISO days of the week, Monday is 1; every day when left out. */
  readonly weekdays?: readonly number[]
  /** IANA name of the zone whose clocks are meant: `Europe/Berlin`. */
  readonly zone: string
}

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string) => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

/** What clocks of the zone show at an instant, written as if they showed UTC. */
const shownAt = (instant: number, zone: string): number => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
    (part) => parts.get(part as Intl.DateTimeFormatPartTypes) ?? 0,
  ) as [number, number, number, number, number, number]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const offsetAt = (instant: number, zone: string) => shownAt(instant, zone) - Math.floor(instant / 1000) * 1000

/**
 * The instant at which clocks show this. Where they show it twice it is the first time; where they jump over it, as long
 * after the jump as it would have been after the moment they jumped from.
 */
const instantOf = (shown: number, zone: string): number => {
  const before = shown - offsetAt(shown - dayMs, zone)
  if (shownAt(before, zone) === shown) return before
  const after = shown - offsetAt(shown + dayMs, zone)
  return shownAt(after, zone) === shown ? after : before
}

const minutesOf = (time: string) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

const minuteMs = 60_000
const dayShownAt = (instant: number, zone: string) => Math.floor(shownAt(instant, zone) / dayMs) * dayMs
// 1 January 1970 was a Thursday.
const falls = (day: number, weekdays: readonly number[] | undefined) =>
  weekdays === undefined || weekdays.includes(((Math.floor(day / dayMs) + 3) % 7) + 1)

/** The first time after an instant. */
export const nextTime = ({ at, weekdays, zone }: Recurrence, after: Date): Date => {
  for (let day = dayShownAt(after.getTime(), zone) - dayMs; ; day += dayMs) {
    if (!falls(day, weekdays)) continue
    const instant = instantOf(day + minutesOf(at) * minuteMs, zone)
    if (instant > after.getTime()) return new Date(instant)
  }
}

/** Hours that come again, by the clocks of a place: over midnight where they end earlier than they begin. */
export interface RecurringHours {
  readonly from: string
  readonly to: string
  /** ISO days of the week on which they begin, Monday is 1; every day when left out. */
  readonly weekdays?: readonly number[]
  readonly zone: string
}

/** The first hours that are not over at an instant: those under way, or the next. Clocks that jump over them leave a day without. */
export const hoursAt = ({ from, to, weekdays, zone }: RecurringHours, now: Date): { opens: Date; closes: Date } => {
  const over = minutesOf(to) <= minutesOf(from) ? dayMs : 0
  for (let day = dayShownAt(now.getTime(), zone) - dayMs; ; day += dayMs) {
    if (!falls(day, weekdays)) continue
    const opens = instantOf(day + minutesOf(from) * minuteMs, zone)
    const closes = instantOf(day + over + minutesOf(to) * minuteMs, zone)
    if (closes > opens && closes > now.getTime()) return { opens: new Date(opens), closes: new Date(closes) }
  }
}
