export interface Sample {
  readonly time: number
  readonly bytes: number
}
export interface Pace {
  readonly bytesPerSecond: number | undefined
  readonly seconds: number | undefined
}

/** What was a quarter of a minute ago says nothing of now. */
const windowMs = 15_000
/** Less than this is too short to tell. */
const leastMs = 1_000

export const paceOf = {
  /** What went backwards, because a part begins anew, is counted from there. */
  taken: (samples: readonly Sample[], sample: Sample): readonly Sample[] => {
    const last = samples.at(-1)
    if (last && sample.bytes < last.bytes) return [sample]
    return [...samples.filter(({ time }) => time >= sample.time - windowMs), sample]
  },
  now: (samples: readonly Sample[], left: number, now: number): Pace => {
    const [first] = samples
    const last = samples.at(-1)
    if (!first || !last || last.time - first.time < leastMs) return { bytesPerSecond: undefined, seconds: undefined }
    // Nothing having gone for a while is slow, too.
    const bytesPerSecond = ((last.bytes - first.bytes) / (Math.max(now, last.time) - first.time)) * 1_000
    return {
      bytesPerSecond,
      seconds: bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : undefined,
    }
  },
}
