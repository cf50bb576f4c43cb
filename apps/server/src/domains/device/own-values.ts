import { protocol } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { enterprisesOf } from './device.store.ts'
import type { CachedState } from './latest-cache.ts'
import { addOwnNames, findDepartments, findOwnNames, ownKey, writeOwnPoints } from './own-values.store.ts'
import type { StateReport } from './plan.ts'

/** Numbers of names, by device and name. */
export type OwnNames = ReadonlyMap<string, number>

const knownMax = 100_000
/** A device may have moved to another enterprise, where its names count anew. */
const knownMs = 10 * 60_000
const minuteMs = 60_000

/** Which names of their own devices may use: at most so many different ones in an enterprise. */
export const createOwnNames = () => {
  let known = new Map<string, number>()
  let since = Date.now()

  const unknownOf = (reports: readonly StateReport[]) => {
    const unknown = new Map<string, { id: number; name: string }>()
    for (const { id, own } of reports)
      for (const name of Object.keys(own ?? {}))
        if (!known.has(ownKey(id, name))) unknown.set(ownKey(id, name), { id, name })
    return [...unknown.values()]
  }

  return {
    /** Within the transaction that writes their values; `keep` what it answers once that is committed. */
    resolve: async (tx: Db, reports: readonly StateReport[]): Promise<OwnNames> => {
      if (!reports.some(({ own }) => own)) return known
      if (Date.now() > since + knownMs || known.size > knownMax) {
        known = new Map()
        since = Date.now()
      }
      const unknown = unknownOf(reports)
      if (unknown.length === 0) return known
      const departments = await findDepartments(tx, [...new Set(unknown.map(({ id }) => id))])
      const owners = await enterprisesOf(tx, [...new Set(departments.values())])
      const asked = unknown.flatMap(({ id, name }) => {
        const department = departments.get(id)
        return department === undefined ? [] : [{ id, name, owner: owners.get(department)?.id ?? department }]
      })
      await addOwnNames(tx, asked, protocol.ownPerOrganisation)
      const found = await findOwnNames(tx, asked)
      const names = new Map(known)
      for (const { id, name, owner } of asked) {
        const number = found.get(ownKey(owner, name))
        if (number !== undefined) names.set(ownKey(id, name), number)
      }
      return names
    },
    keep: (names: OwnNames) => {
      known = new Map(names)
    },
  }
}

/** Of each minute the newest number, so that a repetition changes nothing and a flood fills no disk. */
export const writeOwnHistory = async (
  tx: Db,
  names: OwnNames,
  rows: ReadonlyMap<number, CachedState>,
  reports: readonly StateReport[],
) => {
  const points = new Map<string, { id: number; nameId: number; minute: number; ts: number; value: number }>()
  for (const { id, own, state } of reports)
    for (const [name, value] of Object.entries(own ?? {})) {
      const nameId = names.get(ownKey(id, name))
      // Not where the device itself had no room for the name.
      if (typeof value !== 'number' || nameId === undefined || !Object.hasOwn(rows.get(id)?.own ?? {}, name)) continue
      const minute = Math.floor(state.ts / minuteMs) * minuteMs
      const key = `${id} ${nameId} ${minute}`
      const before = points.get(key)
      if (before && (before.ts > state.ts || (before.ts === state.ts && before.value >= value))) continue
      points.set(key, { id, nameId, minute, ts: state.ts, value })
    }
  await writeOwnPoints(tx, [...points.values()])
}
