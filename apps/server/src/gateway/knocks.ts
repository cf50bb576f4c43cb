import type { RefusalReason } from './wire.ts'

/** Wrong credentials of one serial number from one address in a minute; then it is not asked about until the minute is over. */
const wrongMax = 10
const wrongMs = 60_000
const wrongKept = 20_000
/** Wrong credentials of one address, whatever the serial number: at once, and each second. */
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
 * Keeps guessing and floods of strangers from the database. Counted on the serial number at an address, so that nobody
 * suffers for a neighbour behind the same one; whoever comes with a credential that was right a while ago is asked about in
 * any case.
 */
export const createKnocks = (now: () => number) => {
  const wrong = new Map<string, { count: number; since: number }>()
  const strangers = new Map<string, { left: number; at: number }>()
  const welcome = new Map<string, string>()
  const keyOf = (sn: string, address: string) => `${sn}\n${address}`

  const leftOf = (address: string): number => {
    const held = strangers.get(address)
    if (!held) return strangersBurst
    return Math.min(strangersBurst, held.left + ((now() - held.at) / 1000) * strangersPerSecond)
  }

  return {
    mayAsk: (sn: string, address: string, secret: string): boolean => {
      if (welcome.get(sn) === secret) return true
      const held = wrong.get(keyOf(sn, address))
      if (held && held.count >= wrongMax && now() - held.since < wrongMs) return false
      return leftOf(address) >= 1
    },
    admitted: (sn: string, secret: string) => {
      welcome.delete(sn)
      welcome.set(sn, secret)
      trim(welcome, welcomeKept)
    },
    refused: (sn: string, address: string, secret: string, reason: RefusalReason) => {
      if (!ownFault.has(reason)) return
      if (welcome.get(sn) === secret) welcome.delete(sn)
      const key = keyOf(sn, address)
      const held = wrong.get(key)
      const isRecent = held !== undefined && now() - held.since < wrongMs
      wrong.delete(key)
      wrong.set(key, isRecent ? { ...held, count: held.count + 1 } : { count: 1, since: now() })
      trim(wrong, wrongKept)
      const left = leftOf(address) - 1
      strangers.delete(address)
      strangers.set(address, { left: Math.max(0, left), at: now() })
      trim(strangers, wrongKept)
    },
  }
}
