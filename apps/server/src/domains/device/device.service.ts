import { AppError, type Draft, type device, deviceErrors, gatewayErrors, type Patch } from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import { findByIds, findBySns, holdStates, isDeviceType, isTaken, revokeCredentials } from './device.store.ts'
import { deviceTable as table } from './device.table.ts'
import { findReserved, lockSerials } from './enrolment.ts'
import type { ForeignSerials } from './foreign-serials.ts'

/** What later rooms must hear in the same transaction. They are named where everything is wired. */
export interface Followers {
  /** These devices go: whatever waits for them will never be answered. */
  readonly leaving: (db: Db, ids: readonly number[]) => Promise<void>
  /** Those of these that have something running that a move would tear apart. */
  readonly busy: (db: Db, ids: readonly number[]) => Promise<ReadonlySet<number>>
}

/** Connections of what is revoked or gone are ended by the database's own word to the gateway. */
export const createDeviceService = ({ followers, foreign }: { followers: Followers; foreign: ForeignSerials }) => {
  const mustBeKnownType = async (db: Db, deviceType: number) => {
    if (!(await isDeviceType(db, deviceType))) throw new AppError(deviceErrors.typeUnknown)
  }

  /** The same for a form and for a line of a file. */
  const check = async ({ db, actor, scope, input }: Call<Draft<typeof device>>) => {
    const { sn } = input
    await mustBeKnownType(db, input.deviceType)
    const isRegistered = await isTaken(db, sn)
    if (!isRegistered && (await findReserved(db, scope, input.departmentId, [sn])).length === 0) return
    const [mine] = isRegistered ? await findBySns(db, scope, [sn]) : []
    if (mine) throw new AppError(deviceErrors.exists, { sn })
    if ((await foreign.learn(actor.id, 1)) === 0) throw foreign.refusal()
    throw new AppError(deviceErrors.ownedByAnother, { sn })
  }

  const create = async (call: Call<Draft<typeof device>>) => {
    const { db, scope, input } = call
    await lockSerials(db)
    await check(call)
    return { id: await insertRow(db, table, scope, input) }
  }

  const update = async ({ db, scope, input }: Call<Patch<typeof device>>) => {
    const [known] = await findByIds(db, scope, [input.id])
    if (!known) throw new AppError(gatewayErrors.resourceNotFound, { id: input.id })
    if (input.deviceType != null && input.deviceType !== known.deviceType) {
      await mustBeKnownType(db, input.deviceType)
      if (known.groupId !== null) throw new AppError(deviceErrors.groupOneType, { sn: known.sn })
    }
    await updateRow(db, table, scope, input)
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
