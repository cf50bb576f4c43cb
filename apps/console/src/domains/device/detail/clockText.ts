import { dayText, timeText } from '../../../kit/time.ts'

/** `08:00`, in the browser's zone. */
export const clockText = (t: number) => timeText(new Date(t)).slice(-5)

/** As exact as a range of that length needs: the clock within a day, the day within a year. */
export const axisText = (t: number, rangeMs: number) => {
  if (rangeMs <= 86_400_000) return clockText(t)
  return rangeMs <= 7 * 86_400_000 ? timeText(new Date(t)).slice(5) : dayText(new Date(t))
}
