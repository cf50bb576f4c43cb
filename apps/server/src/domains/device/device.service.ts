import { AppError, type Draft, type device, deviceErrors, gatewayErrors, type Patch } from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import { findByIds, findBySns, holdStates, isDeviceType, isTaken, revokeCredentials } from './device.store.ts'
import { deviceTable as table } from './device.table.ts'

/** What later rooms must hear in the same transaction; they ask for it at this room's door. */
export interface Followers {
  /** These devices go: whatever waits for them will never be answered. */
  readonly leaving: (db: Db, ids: readonly number[]) => Promise<void>
  /** Those of these that have something running that a move would tear apart. */
  readonly busy: (db: Db, ids: readonly number[]) => Promise<ReadonlySet<number>>
}

/** Connections of what is revoked or gone are ended by the database's own word to the gateway. */
export const createDeviceService = ({ followers }: { followers: Followers }) => {
  const mustBeKnownType = async (db: Db, deviceType: number) => {
    if (!(await isDeviceType(db, deviceType))) throw new AppError(deviceErrors.typeUnknown)
  }

  /** The same for a form and for a line of a file. */
  const check = async ({ db, scope, input }: Call<Draft<typeof device>>) => {
    await mustBeKnownType(db, input.deviceType)
    if (!(await isTaken(db, input.sn))) return
    const mine = await findBySns(db, scope, [input.sn])
    throw new AppError(mine.length > 0 ? deviceErrors.exists : deviceErrors.ownedByAnother, { sn: input.sn })
  }

  const create = async (call: Call<Draft<typeof device>>) => {
    const { db, scope, input } = call
    await check(call)
    return { id: await insertRow(db, table, scope, input) }
  }

  const update = async (call: Call<Patch<typeof device>>) => {
    const { db, scope, input } = call
    const [known] = await findByIds(db, scope, [input.id])
    if (!known) throw new AppError(gatewayErrors.resourceNotFound, { id: input.id })
    if (input.deviceType != null && input.deviceType !== known.deviceType) {
      await mustBeKnownType(db, input.deviceType)
      if (known.groupId !== null) throw new AppError(deviceErrors.groupOneType, { sn: known.sn })
    }
    await updateRow(call, table, input)
    return {}
  }

  const remove = async (call: Call<number[]>) => {
    const { db, scope, input: ids } = call
    await holdStates(db, ids)
    const devices = await findByIds(db, scope, ids)
    await followers.leaving(
      db,
      devices.map(({ id }) => id),
    )
    await revokeCredentials(db, ids)
    const names = await removeRows(db, table, scope, ids)
    call.note({ description: names.join(', ') })
    return { removed: names.length }
  }

  return { check, create, update, remove }
}
