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
