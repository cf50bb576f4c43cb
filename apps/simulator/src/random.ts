/** A stream of numbers in [0, 1) that is the same for the same seed everywhere (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Each device has its own stream, whatever the others do and in whichever order they start. */
export const seedOf = (seed: number, sn: string): number => {
  let hash = (seed ^ 0x811c9dc5) >>> 0
  for (let at = 0; at < sn.length; at += 1) hash = Math.imul(hash ^ sn.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

export const pick = <T>(random: () => number, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0]
export const between = (random: () => number, low: number, high: number): number => low + (high - low) * random()
