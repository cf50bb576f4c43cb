/** The only source of time for rules that depend on it, so that tests can let a night pass in no time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const addSeconds = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000)
