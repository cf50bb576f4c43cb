/** A word that is said at once and then at most so often, with how many times it would have been said since. */
export const seldom = (everyMs: number, say: (last: unknown, times: number) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (last: unknown): void => {
    times += 1
    const now = performance.now()
    if (now - saidAt < everyMs) return
    saidAt = now
    say(last, times)
    times = 0
  }
}
