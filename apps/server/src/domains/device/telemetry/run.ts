/** A counter over some time: how it stood first and last, and what it counted in between. */
export interface Run {
  readonly first: number
  readonly last: number
  readonly grown: number
}

/** What a counter counted from one reading to the next. One that stands lower began anew at 0 and shows what it counted since. */
const stepOf = (before: number, after: number) => (after >= before ? after - before : after)

/** The two as one, the earlier first. */
export const follow = (a: Run, b: Run): Run => ({
  first: a.first,
  last: b.last,
  grown: a.grown + stepOf(a.last, b.first) + b.grown,
})

/** What a run adds to how the counter stood before it; nothing is known of what it counted before its first reading. */
export const addedBy = (run: Run, before: Run | undefined): number =>
  run.grown + (before ? stepOf(before.last, run.first) : 0)

/** Lowest and highest were kept as floats of 32 bits, which may lie this share above what was read. */
const floatError = 2 ** -23

/**
 * Where only the lowest and the highest were kept, the counter is taken to have gone from one to the other, or on from how it
 * stood before: what it had counted by then is not counted again. How it stood last is taken rather too low, because a next
 * reading below it would look like a counter that began anew.
 */
export const runOf = (
  { run, min, max }: { run?: Run | undefined; min: number; max: number },
  before?: Run | undefined,
): Run => {
  if (run) return run
  const first = before && max >= before.last ? Math.max(min, before.last) : min
  return { first, last: Math.floor(max * (1 - floatError)), grown: max - first }
}
