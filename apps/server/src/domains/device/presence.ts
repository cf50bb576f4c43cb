import type { EndReason, Happening } from '../../gateway/wire.ts'

const windowMs = 5 * 60_000
const changesMax = 4

export interface Presence {
  deviceId: number
  status: 'online' | 'offline' | 'flapping'
  connectedAt: number | null
  address: string | null
  keepalive: number | null
  disconnectedAt: number | null
  reason: EndReason | null
}
export interface PresenceEntry {
  deviceId: number
  at: number
  online: boolean
  reason: EndReason | null
  address: string | null
  detail: string | null
}

/**
 * Who is there. A device that says goodbye and comes back is no trouble; one that drops out again and again is shown as
 * flapping and written down once, until it has been calm for a while.
 */
export const createPresence = () => {
  const connected = new Set<number>()
  const changes = new Map<number, number[]>()
  const flapping = new Set<number>()
  const dropped = new Set<number>()

  const recent = (deviceId: number, now: number) =>
    (changes.get(deviceId) ?? []).filter((at) => at > now - windowMs).slice(-changesMax)

  /** Counts a drop, and the return after one. */
  const count = (deviceId: number, at: number) => {
    const times = [...recent(deviceId, at), at]
    changes.set(deviceId, times)
    return times.length >= changesMax
  }

  const note = (happening: Exclude<Happening, { what: 'message' }>): { presence: Presence; entry?: PresenceEntry } => {
    const { deviceId, at } = happening
    const online = happening.what === 'online'
    if (online) connected.add(deviceId)
    else connected.delete(deviceId)
    const unsteady = online ? dropped.delete(deviceId) : happening.reason !== 'clean' && happening.reason !== 'kicked'
    if (!online && unsteady) dropped.add(deviceId)
    const was = flapping.has(deviceId)
    if (unsteady && count(deviceId, at)) flapping.add(deviceId)
    const is = flapping.has(deviceId)
    const base = { connectedAt: null, address: null, keepalive: null, disconnectedAt: null, reason: null }
    const presence: Presence = {
      ...base,
      deviceId,
      status: is ? 'flapping' : happening.what,
      ...(online
        ? { connectedAt: at, address: happening.address, keepalive: happening.keepalive }
        : { disconnectedAt: at, reason: happening.reason }),
    }
    if (was) return { presence }
    const reason = is ? 'flapping' : online ? null : happening.reason
    const entry: PresenceEntry = {
      deviceId,
      at,
      online,
      reason,
      address: online ? happening.address : null,
      detail: online ? null : happening.detail,
    }
    return { presence, entry }
  }

  return {
    note,
    connectedIds: () => [...connected.keys()],
    /** Nobody is connected any more: the gateway's process is a new one. */
    clear: () => connected.clear(),
    /** Those that have come to rest, and as what. */
    settled: (now: number): { deviceId: number; status: 'online' | 'offline' }[] => {
      const calm = [...flapping].filter((deviceId) => recent(deviceId, now).length < changesMax)
      for (const deviceId of calm) flapping.delete(deviceId)
      for (const [deviceId, times] of changes) if ((times.at(-1) ?? 0) < now - windowMs) changes.delete(deviceId)
      return calm.map((deviceId) => ({ deviceId, status: connected.has(deviceId) ? 'online' : 'offline' }))
    },
  }
}
