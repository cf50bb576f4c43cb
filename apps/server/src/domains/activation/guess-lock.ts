import { AppError, activationErrors, commonErrors } from '@campanile/contract'
import type { Logger } from 'pino'
import { networkOf } from '../../platform/address.ts'
import type { RateLimit } from '../../platform/rate-limit.ts'

/**
 * Over all serial numbers, whether anybody has them or not: what one network may get wrong. Others stand behind the same
 * address, so a right code passes still; wrong ones are told to wait, and each serial number is left one try.
 */
const perNetwork = { name: 'activate', limit: 100, seconds: 600 }
/** One network on one serial number. It is locked long before the serial number is, so that nobody shuts out a device from one place. */
const perPair = { name: 'activate-pair', limit: 5, limitInFlood: 1, seconds: 15 * 60 }
/** Over all networks. */
const perSerial = { name: 'activate-serial', limit: 20, seconds: 60 * 60 }
/** A new code ends the lock of its serial number, so often within an hour for each enterprise: others cannot use it up. */
const lifting = { name: 'activate-lift', limit: 3, seconds: 60 * 60 }

/**
 * Every try counts before it is looked at, so that as many at once are no way around; what turns out to be right is given
 * back. Refused tries do not count any further, so that a lock ends when it said it would.
 */
export const createGuessLock = ({ rateLimit, log }: { rateLimit: RateLimit; log: Logger }) => {
  const refuse = (sn: string, seconds: number) =>
    new AppError(activationErrors.serialLocked, { sn, minutes: seconds / 60 })

  return {
    /** Counts one try; answers how to take it back, and what a wrong one is told where too many were wrong. */
    take: async (sn: string, ip: string): Promise<{ giveBack: () => Promise<void>; flood: AppError | undefined }> => {
      const network = networkOf(ip)
      const pair = `${sn} ${network}`
      const { hits, seconds } = await rateLimit.add(perNetwork, network)
      const flood = hits > perNetwork.limit ? new AppError(commonErrors.rateLimit, { retryAfter: seconds }) : undefined
      if ((await rateLimit.count(perPair, pair)) > (flood ? perPair.limitInFlood : perPair.limit))
        throw flood ?? refuse(sn, perPair.seconds)
      const tries = await rateLimit.count(perSerial, sn)
      if (tries === perSerial.limit + 1)
        log.warn({ sn, minutes: perSerial.seconds / 60 }, 'activation is locked after many wrong codes')
      if (tries > perSerial.limit) throw refuse(sn, perSerial.seconds)
      const giveBack = async () => {
        await rateLimit.giveBack(perNetwork, network)
        await rateLimit.giveBack(perPair, pair)
        await rateLimit.giveBack(perSerial, sn)
      }
      return { giveBack, flood }
    },
    /** New codes are the way out for devices that a stranger's guesses have locked. */
    lift: async (sns: readonly string[], enterprise: string): Promise<void> => {
      const names = [perSerial.name, perPair.name]
      const lifted: string[] = []
      for (const sn of await rateLimit.countedBelow(names, sns))
        if ((await rateLimit.count(lifting, `${sn} ${enterprise}`)) <= lifting.limit) lifted.push(sn)
      if (lifted.length > 0) await rateLimit.forgetBelow(names, lifted)
    },
  }
}

export type GuessLock = ReturnType<typeof createGuessLock>
