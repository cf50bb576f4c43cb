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

  /** Why this one cannot go there; undefined when it can. */
  const refusal = async (db: Db, known: Known | undefined, sn: string, target: Target) => {
    if (!known) return new AppError(deviceErrors.notFound, { sn })
    if (known.departmentId === target.id) return new AppError(deviceErrors.transferTargetSame, { sn })
    return (await followers.busy(db, [known.id])) ? new AppError(deviceErrors.deviceBusy, { sn }) : undefined
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
    const found = new Set(devices.map(({ sn }) => sn))
    const missing = sns.find((sn) => !found.has(sn))
    if (missing !== undefined) throw new AppError(deviceErrors.notFound, { sn: missing })
    if (devices.every(({ departmentId }) => departmentId === target.id))
      throw new AppError(deviceErrors.transferTargetSame)
    const moving = devices.filter(({ departmentId }) => departmentId !== target.id)
    const busy = await followers.busy(
      db,
      moving.map(({ id }) => id),
    )
    if (busy !== undefined) throw new AppError(deviceErrors.deviceBusy, { sn: busy })
    await move(db, moving, target)
    call.note({ description: `${moving.map(({ sn }) => sn).join(', ')} → ${target.name}` })
    return { moved: moving.length }
  }

  return { findTarget, refusal, move, transfer }
}

export type Transfer = ReturnType<typeof createTransfer>
