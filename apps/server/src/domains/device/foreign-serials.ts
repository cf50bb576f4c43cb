import { AppError, deviceErrors } from '@campanile/contract'
import type { RateLimit } from '../../platform/rate-limit.ts'

/** How many serial numbers of others one account may come across in a day: enough for a mixed-up list, not for a search. */
const perDay = { name: 'foreignSerial', limit: 50, seconds: 86_400 }

/** What somebody learns about serial numbers that are not theirs. */
export const createForeignSerials = ({ rateLimit }: { rateLimit: Pick<RateLimit, 'add'> }) => ({
  /** How many of these may be named. */
  learn: async (actorId: number, count: number): Promise<number> => {
    if (count === 0) return 0
    const { hits } = await rateLimit.add(perDay, String(actorId), count)
    return Math.max(0, Math.min(count, count - (hits - perDay.limit)))
  },
  refusal: () => new AppError(deviceErrors.tooManyForeign, { limit: perDay.limit }),
})

export type ForeignSerials = ReturnType<typeof createForeignSerials>
