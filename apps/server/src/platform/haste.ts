import { AppError, commonErrors } from '@campanile/contract'

/**
 * So many a minute for each key, all at once or spread; what is used comes back steadily. Counted in memory: it costs
 * nothing, and several server processes allow as many times as much.
 */
export const createAllowance = (perMinute: number, atOnce: number, now = () => performance.now()) => {
  const perMs = perMinute / 60_000
  const fullAgainMs = atOnce / perMs
  /** In the order of their last use, so that those who are full again stand first. */
  const used = new Map<number, { left: number; at: number }>()

  return {
    /** Seconds to wait; 0 when it is granted. What is refused uses nothing up. */
    take: (key: number, wanted = 1): number => {
      const at = now()
      const before = used.get(key) ?? { left: atOnce, at }
      const left = Math.min(atOnce, before.left + (at - before.at) * perMs)
      used.delete(key)
      for (const [other, { at: last }] of used) {
        if (at - last < fullAgainMs) break
        used.delete(other)
      }
      used.set(key, { left: left >= wanted ? left - wanted : left, at })
      return left >= wanted ? 0 : Math.ceil((wanted - left) / perMs / 1_000)
    },
    /** How many keys are remembered. */
    size: () => used.size,
  }
}

/**
 * The general limit of one account over all its sessions, tokens and addresses: neither a second session nor another
 * address starts it anew, and nobody else is counted with it.
 */
export const createHaste = (perMinute: number) => {
  const allowance = createAllowance(perMinute, perMinute)
  return (accountId: number): void => {
    const retryAfter = allowance.take(accountId)
    if (retryAfter > 0) throw new AppError(commonErrors.rateLimit, { retryAfter })
  }
}
