import { AppError, commonErrors } from '@campanile/contract'

/** Who would wait longer than about ten seconds is told so at once. */
const mostWaiting = 250

/** Lets work on one key happen one after another; different keys do not wait for each other. */
export const createKeyedQueue = () => {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  return {
    isBusy: (key: string) => queues.has(key),
    take: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
      if (queue.length >= mostWaiting) throw new AppError(commonErrors.serviceBusy)
      queues.set(key, queue)
      queue.length += 1
      const mine = queue.last.then(work, work)
      queue.last = mine
      try {
        return await mine
      } finally {
        queue.length -= 1
        if (queue.length === 0) queues.delete(key)
      }
    },
  }
}
