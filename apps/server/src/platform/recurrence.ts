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

/** The first time after an instant. */
export const nextTime = ({ at, weekdays, zone }: Recurrence, after: Date): Date => {
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const today = Math.floor(shownAt(after.getTime(), zone) / dayMs) * dayMs
  for (let day = today - dayMs; ; day += dayMs) {
    // 1 January 1970 was a Thursday.
    const weekday = ((Math.floor(day / dayMs) + 3) % 7) + 1
    if (weekdays && !weekdays.includes(weekday)) continue
    const instant = instantOf(day + (hour * 60 + minute) * 60_000, zone)
    if (instant > after.getTime()) return new Date(instant)
  }
}
