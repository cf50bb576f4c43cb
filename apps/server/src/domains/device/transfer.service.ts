import { AppError, deviceErrors, type TransferAnswer } from '@campanile/contract'
import { sql } from 'kysely'
import { covers, type Scope } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { errorText } from '../../platform/texts.ts'
import type { Followers } from './device.service.ts'
import { enterprisesOf, type Known, lockBySns, moveDevices, revokeCredentials } from './device.store.ts'

interface Target {
  readonly id: number
  readonly name: string
}

/**
 * Moves devices to another department. Whoever is connected comes back under the rules of where it is now; one that
 * leaves its enterprise must be activated anew there.
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
    const owners = await enterprisesOf(db, [target.id, ...new Set(devices.map((each) => each.departmentId))])
    const leaving = devices.filter(({ departmentId }) => owners.get(departmentId) !== owners.get(target.id))
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

  /** All of them or none: the first that cannot go is named. A dry run names every one and moves none. */
  const transfer = async (call: Call<{ sns: string[]; departmentId: number; dryRun?: boolean | undefined }>) => {
    const { db, scope, input, caller } = call
    const target = await findTarget(db, scope, input.departmentId)
    const sns = [...new Set(input.sns)]
    const devices = await lockBySns(db, scope, sns)
    const why = await refusals(db, devices, target)
    // Somebody who ticks a few that are there already means the others.
    const moving = devices.filter(({ departmentId }) => departmentId !== target.id)
    const staying = new Set(devices.filter(({ departmentId }) => departmentId === target.id).map(({ sn }) => sn))
    const refused = sns.flatMap((sn) => {
      const error = why(sn)
      return error && (input.dryRun || moving.length === 0 || !staying.has(sn)) ? [{ sn, error }] : []
    })
    if (input.dryRun) {
      const failed = refused.map(({ sn, error: { code, data } }) => ({
        sn,
        code,
        message: errorText(code, caller.language, data),
      }))
      call.note({ description: target.name, type: 'read' })
      const stays = new Set(failed.map(({ sn }) => sn))
      return answerOf(
        devices.filter(({ sn }) => !stays.has(sn)),
        failed,
      )
    }
    if (refused[0]) throw refused[0].error
    await move(db, moving, target)
    call.note({ description: `${moving.map(({ sn }) => sn).join(', ')} → ${target.name}` })
    return answerOf(moving)
  }

  return { findTarget, refusals, move, transfer }
}

export const answerOf = (
  going: readonly Known[],
  failed: TransferAnswer['failed'] = [],
  fileId: number | null = null,
): TransferAnswer => ({
  moved: going.length,
  going: going.map(({ sn, departmentName }) => ({ sn, from: departmentName })),
  failed,
  fileId,
})

export type Transfer = ReturnType<typeof createTransfer>
