import { AppError, deviceErrors, isHead, organisationType } from '@campanile/contract'
import { sql } from 'kysely'
import { covers, type Scope } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import type { Followers } from './device.service.ts'
import { headOf, type Known, lockBySns, moveDevices, revokeCredentials } from './device.store.ts'

const headTypes = Object.values(organisationType).filter(isHead)

interface Target {
  readonly id: number
  readonly name: string
}

/**
 * Moves devices to another department. Whoever is connected comes back under the rules of where it is now; one that
 * leaves its organisation must be activated anew there.
 */
export const createTransfer = ({ followers }: { followers: Followers }) => {
  const findTarget = async (db: Db, scope: Scope, id: number): Promise<Target> => {
    const { rows } = await sql<Target & { path: string }>`select id, name, path::text as path from department
      where id = ${id}`.execute(db)
    const target = rows[0]
    if (!target || !covers(scope, target.path)) throw new AppError(deviceErrors.departmentUnknown)
    return target
  }

  /** Tells why one of these devices cannot go there; undefined when it can. */
  const refusals = async (db: Db, devices: readonly Known[], target: Target) => {
    const known = new Map(devices.map((each) => [each.sn, each]))
    const busy = await followers.busy(
      db,
      devices.map(({ id }) => id),
    )
    return (sn: string): AppError | undefined => {
      const device = known.get(sn)
      if (!device) return new AppError(deviceErrors.notFound, { sn })
      if (device.departmentId === target.id) return new AppError(deviceErrors.transferTargetSame, { sn })
      return busy.has(device.id) ? new AppError(deviceErrors.deviceBusy, { sn }) : undefined
    }
  }

  const move = async (db: Db, devices: readonly Known[], target: Target) => {
    const heads = await headOf(db, [target.id, ...new Set(devices.map((each) => each.departmentId))], headTypes)
    const leaving = devices.filter(({ departmentId }) => heads.get(departmentId) !== heads.get(target.id))
    await moveDevices(
      db,
      devices.map(({ id }) => id),
      target.id,
    )
    await revokeCredentials(
      db,
      leaving.map(({ id }) => id),
    )
  }

  /** All of them or none: the first that cannot go is named. */
  const transfer = async (call: Call<{ sns: string[]; departmentId: number }>) => {
    const { db, scope, input } = call
    const target = await findTarget(db, scope, input.departmentId)
    const sns = [...new Set(input.sns)]
    const devices = await lockBySns(db, scope, sns)
    const why = await refusals(db, devices, target)
    // Somebody who ticks a few that are there already means the others.
    const moving = devices.filter(({ departmentId }) => departmentId !== target.id)
    const staying = new Set(devices.filter(({ departmentId }) => departmentId === target.id).map(({ sn }) => sn))
    const refusal = sns
      .filter((sn) => moving.length === 0 || !staying.has(sn))
      .map(why)
      .find((each) => each !== undefined)
    if (refusal) throw refusal
    await move(db, moving, target)
    call.note({ description: `${moving.map(({ sn }) => sn).join(', ')} → ${target.name}` })
    return { moved: moving.length }
  }

  return { findTarget, refusals, move, transfer }
}

export type Transfer = ReturnType<typeof createTransfer>
