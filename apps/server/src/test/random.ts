/** Numbers in [0, 1) that are the same for the same seed everywhere (mulberry32): a failure can be seen again. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    bytes: (length: number) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}

export type Random = ReturnType<typeof createRandom>

/** More rounds than a test run has time for: `FUZZ_ROUNDS=100 npx vitest run …` */
export const fuzzRounds = Number(process.env.FUZZ_ROUNDS ?? 1)
