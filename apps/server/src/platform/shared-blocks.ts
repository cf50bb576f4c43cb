/**
 * Blocks that were read a moment ago, for others who read the same: the devices of a wave fetch one file side by side, and
 * reading it once for all of them halves what sending costs. Only for bytes that never change.
 */
export const createSharedBlocks = (most: number) => {
  const held = new Map<string, Promise<Buffer>>()
  return {
    get: (id: string, read: () => Promise<Buffer>): Promise<Buffer> => {
      const known = held.get(id)
      if (known) return known
      const coming = read()
      held.set(id, coming)
      // What could not be read is asked for again.
      coming.catch(() => held.delete(id))
      const [oldest] = held.keys()
      if (held.size > most && oldest !== undefined) held.delete(oldest)
      return coming
    },
    forget: (prefix: string) => {
      for (const id of held.keys()) if (id.startsWith(prefix)) held.delete(id)
    },
  }
}
