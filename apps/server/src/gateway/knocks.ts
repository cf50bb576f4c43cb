import { networkOf } from '../platform/address.ts'
import type { RefusalReason } from './wire.ts'

/** Wrong credentials of one serial number from one network in a minute; then it is not asked about until the minute is over. */
const wrongMax = 10
const wrongMs = 60_000
const wrongKept = 20_000
/** Wrong credentials of one network, whatever the serial number: at once, and each second. */
const strangersBurst = 1_000
const strangersPerSecond = 200
/** Credentials that were right; the newest are kept. */
const welcomeKept = 100_000

/** Only what the one who knocks did itself counts, and never that the database was away or a licence is missing. */
const ownFault: ReadonlySet<RefusalReason> = new Set(['unknownDevice', 'wrongPassword', 'revoked'])

/** The oldest make room. */
const trim = <K, V>(map: Map<K, V>, max: number) => {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}

/**
 * Keeps guessing and floods of strangers from the database. Counted on the serial number at a network (an
 * IPv4 address, an IPv6 /64), so that nobody suffers for a neighbour behind the same one; whoever comes with a credential that was right a while ago is asked about in
 * any case.
 */
export const createKnocks = (now: () => number) => {
  const wrong = new Map<string, { count: number; since: number }>()
  const strangers = new Map<string, { left: number; at: number }>()
  const welcome = new Map<string, string>()
  const keyOf = (sn: string, network: string) => `${sn}\n${network}`

  const leftOf = (network: string): number => {
    const held = strangers.get(network)
    if (!held) return strangersBurst
    return Math.min(strangersBurst, held.left + ((now() - held.at) / 1000) * strangersPerSecond)
  }

  return {
    mayAsk: (sn: string, address: string, secret: string): boolean => {
      if (welcome.get(sn) === secret) return true
      const network = networkOf(address)
      const held = wrong.get(keyOf(sn, network))
      if (held && held.count >= wrongMax && now() - held.since < wrongMs) return false
      return leftOf(network) >= 1
    },
    admitted: (sn: string, secret: string) => {
      welcome.delete(sn)
      welcome.set(sn, secret)
      trim(welcome, welcomeKept)
    },
    refused: (sn: string, address: string, secret: string, reason: RefusalReason) => {
      if (!ownFault.has(reason)) return
      if (welcome.get(sn) === secret) welcome.delete(sn)
      const network = networkOf(address)
      const key = keyOf(sn, network)
      const held = wrong.get(key)
      const isRecent = held !== undefined && now() - held.since < wrongMs
      wrong.delete(key)
      wrong.set(key, isRecent ? { ...held, count: held.count + 1 } : { count: 1, since: now() })
      trim(wrong, wrongKept)
      const left = leftOf(network) - 1
      strangers.delete(network)
      strangers.set(network, { left: Math.max(0, left), at: now() })
      trim(strangers, wrongKept)
    },
  }
}
