/** Round figures between the two, a few of them, the ends included. */
export const ticks = (from: number, to: number, wanted = 4): number[] => {
  const span = to - from || 1
  const rough = span / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.floor(from / step)
  const last = Math.ceil(to / step)
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** As many of them as can be told apart once they are written: a step below what is shown would write a figure twice. */
export const readableTicks = (from: number, to: number, text: (value: number) => string): number[] => {
  const tries = [4, 3, 2, 1].map((wanted) => ticks(from, to, wanted))
  return tries.find((marks) => new Set(marks.map(text)).size === marks.length) ?? tries[3] ?? []
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const timeSteps = [
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
]
const daySteps = [2, 7, 14, 31, 62, 92, 183, 366]
const mostTimes = 7

/** Whole hours, midnights or firsts of months between two times, by the reader's clock; a few of them. */
export const timeTicks = (from: number, to: number, utc = false): { step: number; at: number[] } => {
  const step =
    timeSteps.find((each) => (to - from) / each <= mostTimes) ??
    (daySteps.find((each) => (to - from) / (each * day) <= mostTimes) ?? 366) * day
  const at: number[] = []
  if (step < day) {
    const offset = utc ? 0 : new Date(from).getTimezoneOffset() * minute
    for (let t = Math.ceil((from - offset) / step) * step + offset; t <= to; t += step) at.push(t)
    return { step, at }
  }
  const isByMonth = step > 14 * day
  const first = new Date(from)
  const [year, month, date] = utc
    ? [first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate()]
    : [first.getFullYear(), first.getMonth(), first.getDate()]
  const make = (months: number, days: number) =>
    utc ? Date.UTC(year, month + months, days) : new Date(year, month + months, days).getTime()
  const stride = isByMonth ? Math.max(1, Math.round(step / day / 30.5)) : step / day
  for (let n = 0; ; n += stride) {
    const t = isByMonth ? make(n, 1) : make(0, date + n)
    if (t > to) return { step, at }
    if (t >= from) at.push(t)
  }
}

const two = (value: number) => String(value).padStart(2, '0')

/** The clock within days and the date at their beginning; the month where only months are marked. */
export const tickText = (t: number, step: number, utc = false): string => {
  const time = new Date(utc ? t : t - new Date(t).getTimezoneOffset() * minute)
  const date = `${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`
  if (step > 14 * day) return `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}`
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
  return step >= day || clock === '00:00' ? date : clock
}

export const linear =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    start + ((value - from) / (to - from || 1)) * (end - start)

export interface Point {
  t: number
  min: number
  avg: number
  max: number
}

/** Silence that is drawn as a hole. Devices tell only what changed, so it must be long for these points and for the eye. */
export const silence = (points: readonly Point[], stepMs: number, rangeMs: number): number => {
  const gaps = points.slice(1).map(({ t }, at) => t - (points[at]?.t ?? t))
  const usual = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  return Math.max(3 * stepMs, 3 * usual, rangeMs / 12)
}

/** Points in runs: where nothing was told for longer than that, the line has a hole instead of a guess. */
export const runs = (points: readonly Point[], longestMs: number): Point[][] => {
  const found: Point[][] = []
  for (const point of points) {
    const run = found.at(-1)
    const before = run?.at(-1)
    if (run && before && point.t - before.t <= longestMs) run.push(point)
    else found.push([point])
  }
  return found
}

/** The point nearest to a moment. */
export const nearest = (points: readonly Point[], t: number): number =>
  points.reduce((best, point, at) => (Math.abs(point.t - t) < Math.abs((points[best]?.t ?? 0) - t) ? at : best), 0)
