import { AppError, identityErrors } from '@campanile/contract'
import { networkOf } from '../../platform/address.ts'
import type { Services } from '../../services.ts'

const counting = { name: 'wrongPassword', seconds: 900 }
/** From here on whoever is new at an address types the code of a picture, also where pictures are switched off. */
const pictureFrom = 50
/** From here on whoever is new at an address waits. */
const waitFrom = 500

/** What an address asks of those who have never signed in from it. */
export type Demand = { readonly asks: 'nothing' | 'picture' } | { readonly asks: 'wait'; readonly seconds: number }

const isWrong = (error: unknown) =>
  error instanceof AppError &&
  [identityErrors.wrongCredentials.code, identityErrors.accountNowLocked.code].some((code) => code === error.code)

/**
 * Wrong passwords from one address, whatever accounts they try. A whole school may stand behind it, so they slow strangers
 * down and keep out nobody who has been here before.
 */
export const createWrongPasswords = ({ rateLimit }: Pick<Services, 'rateLimit'>) => ({
  demandAt: async (ip: string): Promise<Demand> => {
    const { hits, seconds } = await rateLimit.look(counting, networkOf(ip))
    if (hits >= waitFrom) return { asks: 'wait', seconds }
    return { asks: hits >= pictureFrom ? 'picture' : 'nothing' }
  },
  /** Counted once it is known to be wrong: five hundred right ones at the same moment are no flood. */
  counting: async <T>(ip: string, prove: () => Promise<T>): Promise<T> =>
    prove().catch(async (error: unknown) => {
      if (isWrong(error)) await rateLimit.count(counting, networkOf(ip))
      throw error
    }),
  isWrong,
})

export type WrongPasswords = ReturnType<typeof createWrongPasswords>

export const refusalOf = (demand: Demand) =>
  demand.asks === 'wait'
    ? new AppError(identityErrors.tooManyWrongHere, {
        minutes: Math.ceil(demand.seconds / 60),
        retryAfter: demand.seconds,
      })
    : new AppError(identityErrors.pictureAsked)
