import { AppError, commonErrors, type Draft, type device, deviceErrors, type Patch } from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import {
  findBySns,
  findDeviceTypes,
  findTaken,
  holdStates,
  lockByIds,
  placeInReach,
  revokeCredentials,
} from './device.store.ts'
import { deviceTable as table } from './device.table.ts'
import { lockSerials } from './enrolment.ts'
import type { ForeignSerials } from './foreign-serials.ts'

/** What later rooms must hear in the same transaction; they ask for it at this room's door. */
export interface Followers {
  /** These devices go: whatever waits for them will never be answered. */
  readonly leaving: (db: Db, ids: readonly number[]) => Promise<void>
  /** Those of these that have something running that a move would tear apart. */
  readonly busy: (db: Db, ids: readonly number[]) => Promise<ReadonlySet<number>>
}

/** Connections of what is revoked or gone are ended by the database's own word to the gateway. */
export const createDeviceService = ({ followers, foreign }: { followers: Followers; foreign: ForeignSerials }) => {
  const mustBeKnownType = async (db: Db, deviceType: number) => {
    if ((await findDeviceTypes(db, [deviceType])).size === 0) throw new AppError(deviceErrors.typeUnknown)
  }

  /** The same for a form and for the lines of a file: everything is looked up once, then each is told apart. */
  const prepare = async ({ db, actor, scope, note }: Call, all: readonly Draft<typeof device>[]) => {
    const types = await findDeviceTypes(
      db,
      all.map(({ deviceType }) => deviceType),
    )
    const drafts = all.filter(({ deviceType }) => types.has(deviceType))
    const taken = await findTaken(
      db,
      drafts.map(({ sn }) => sn),
    )
    const mine = new Set((taken.size > 0 ? await findBySns(db, scope, [...taken]) : []).map(({ sn }) => sn))
    const foreigners = new Set([...taken].filter((sn) => !mine.has(sn)))
    const told = await foreign.learn(db, actor, foreigners.size)
    const named = new Set([...foreigners].slice(0, told.named))
    // Whoever tries out numbers leaves a line that says how many.
    if (foreigners.size > 0) note({ after: { ownedByOthers: foreigners.size } })
    return ({ deviceType, sn }: Draft<typeof device>) => {
      if (!types.has(deviceType)) throw new AppError(deviceErrors.typeUnknown)
      if (mine.has(sn)) throw new AppError(deviceErrors.exists, { sn })
      if (named.has(sn)) throw new AppError(deviceErrors.ownedByAnother, { sn })
      if (told.silent || foreigners.has(sn)) throw foreign.refusal()
    }
  }

  const create = async (call: Call<Draft<typeof device>>) => {
    const { db, scope, input } = call
    // Before the number is looked at: whoever may not register there learns nothing of who has it.
    await placeInReach(db, scope, input.departmentId)
    await lockSerials(db)
    const check = await prepare(call, [input])
    check(input)
    return { id: await insertRow(db, table, scope, input) }
  }

  const update = async (call: Call<Patch<typeof device>>) => {
    const { db, scope, input } = call
    const [known] = await lockByIds(db, scope, [input.id])
    if (!known) throw new AppError(commonErrors.resourceNotFound, { id: input.id })
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
    const devices = await lockByIds(db, scope, ids)
    await followers.leaving(
      db,
      devices.map(({ id }) => id),
    )
    await revokeCredentials(db, ids)
    const names = await removeRows(db, table, scope, ids)
    call.note({ description: names.join(', ') })
    return { removed: names.length }
  }

  return { prepare, create, update, remove }
}
