import { AppError, deviceErrors } from '@campanile/contract'
import type { RateLimit } from '../../platform/rate-limit.ts'

/** How many serial numbers of others one account may come across in a day: enough for a mixed-up list, not for a search. */
const perDay = { name: 'foreignSerial', limit: 50, seconds: 86_400 }

/** What somebody learns about serial numbers that are not theirs. */
export const createForeignSerials = ({ rateLimit }: { rateLimit: Pick<RateLimit, 'add' | 'look'> }) => ({
  /**
   * How many of these may be named; `silent` where that is not all. From then on a number that nobody has must be answered
   * like one that somebody has, or the refusal itself would tell the two apart.
   */
  learn: async (actorId: number, count: number): Promise<{ named: number; silent: boolean }> => {
    const key = String(actorId)
    const { hits } = count === 0 ? await rateLimit.look(perDay, key) : await rateLimit.add(perDay, key, count)
    const named = Math.max(0, Math.min(count, count - (hits - perDay.limit)))
    return { named, silent: hits > perDay.limit }
  },
  refusal: () => new AppError(deviceErrors.tooManyForeign, { limit: perDay.limit }),
})

export type ForeignSerials = ReturnType<typeof createForeignSerials>
