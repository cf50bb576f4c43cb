/** Time as the agent sees it: the system's own, or the one wheel thousands of simulated devices share. */
export interface Timers {
  now(): number
  /** Answers what takes it back. */
  after(ms: number, what: () => void): () => void
}

export const systemTimers: Timers = {
  now: Date.now,
  after: (ms, what) => {
    const timer = setTimeout(what, ms)
    return () => clearTimeout(timer)
  },
}

/** True when the promise had settled well before the time was up. */
export const within = (timers: Timers, ms: number, promise: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = timers.after(ms, () => resolve(false))
    const settle = (ok: boolean) => () => {
      cancel()
      resolve(ok)
    }
    promise.then(settle(true), settle(false))
  })
