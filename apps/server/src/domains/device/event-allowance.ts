import { protocol } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { enterprisesOf } from './device.store.ts'
import { findDepartments } from './own-values.store.ts'

const dayMs = 86_400_000
const ownersMax = 100_000
/** Told so much since it was last looked at, what is kept of a device is weighed. */
const heavyBytes = 1024 * 1024

/** How much devices and their enterprises have told as events today. Counted in memory: a restart begins the day anew. */
export const createEventAllowance = (db: Db, now: () => number = Date.now) => {
  let day = 0
  let devices = new Map<number, number>()
  let enterprises = new Map<number, number>()
  let owners = new Map<number, number>()
  let sinceWeighed = new Map<number, number>()

  const begin = () => {
    const today = Math.floor(now() / dayMs)
    if (today === day && owners.size <= ownersMax) return
    owners = new Map()
    if (today === day) return
    day = today
    devices = new Map()
    enterprises = new Map()
  }
  const add = (to: Map<number, number>, id: number, bytes: number) => to.set(id, (to.get(id) ?? 0) + bytes)

  return {
    /** Whose these devices are; to be asked before `take`. Without an answer only the device itself is counted. */
    know: async (ids: ReadonlySet<number>): Promise<void> => {
      begin()
      const unknown = [...ids].filter((id) => !owners.has(id))
      if (unknown.length === 0) return
      const departments = await findDepartments(db, unknown)
      const found = await enterprisesOf(db, [...new Set(departments.values())])
      for (const [id, department] of departments) owners.set(id, found.get(department)?.id ?? department)
    },
    take: (id: number, bytes: number): boolean => {
      const owner = owners.get(id)
      if ((devices.get(id) ?? 0) + bytes > protocol.eventBytesPerDay.device) return false
      if (owner !== undefined && (enterprises.get(owner) ?? 0) + bytes > protocol.eventBytesPerDay.enterprise)
        return false
      add(devices, id, bytes)
      if (owner !== undefined) add(enterprises, owner, bytes)
      add(sinceWeighed, id, bytes)
      return true
    },
    /** Devices whose events have become many since this was last asked. */
    heavy: (): number[] => {
      const heavy = [...sinceWeighed].filter(([, bytes]) => bytes >= heavyBytes).map(([id]) => id)
      for (const id of heavy) sinceWeighed.delete(id)
      if (sinceWeighed.size > ownersMax) sinceWeighed = new Map()
      return heavy
    },
  }
}
export type EventAllowance = ReturnType<typeof createEventAllowance>
