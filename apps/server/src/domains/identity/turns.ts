/** Lets work on one key happen one after another; different keys do not wait for each other. */
export const createTurns = () => {
  const last = new Map<string, Promise<unknown>>()
  return {
    isBusy: (key: string) => last.has(key),
    take: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}
