const two = (value: number) => String(value).padStart(2, '0')

/** 29 February is the last of February in a year without one. */
const inYear = (year: number, month: number, day: number): string => {
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return `${year}-${two(month)}-${two(Math.min(day, lastDay))}`
}

/** Schools live by their own clock (behaviour: organisations.school-clock). */
const schoolToday = (now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short' }).format(now)

/** When classes would move up next if this date were saved; the server says the same of a saved one. */
export const nextRun = (monthDay: string, now: Date): string | undefined => {
  const [month, day] = monthDay.split('-').map(Number)
  if (!month || !day) return undefined
  const today = schoolToday(now)
  const year = Number(today.slice(0, 4))
  const thisYear = inYear(year, month, day)
  return thisYear >= today ? thisYear : inYear(year + 1, month, day)
}
