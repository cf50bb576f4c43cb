import { AppError, deviceErrors, handoverRoutes, success, type TransferAnswer } from '@campanile/contract'
import type { Place } from '../../kit/actor.ts'
import { PartialAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { type AuditLine, recordOperation } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Outbox } from '../../platform/outbox.ts'
import { errorText } from '../../platform/texts.ts'
import type { Followers } from './device.service.ts'
import { enterprisesOf, type Known, lockWithStates, moveDevices, placeInReach } from './device.store.ts'
import { deviceTransferred } from './device.topics.ts'
import { findFarewells, handOver } from './handover.store.ts'

/** Farewells in one line of the operation log. */
const toldAtOnce = 20

interface Target {
  readonly id: number
  readonly name: string
}

/**
 * Moves devices to another department. Whoever is connected comes back under the rules of where it is now; one that
 * leaves its enterprise must be activated anew and begins there without a past.
 */
export const createTransfer = ({ followers, outbox }: { followers: Followers; outbox: Outbox }) => {
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

  /** A line in the log of one of the two enterprises, which may not know the other's name. */
  const tell = ({ actor, caller, db }: Call, owner: Place, line: Pick<AuditLine, 'route' | 'description' | 'before'>) =>
    recordOperation(db, {
      ...line,
      actor: { ...actor, operating: owner },
      clientIp: caller.ip,
      host: caller.host,
      userAgent: caller.userAgent,
      module: 'device',
      type: 'action',
      result: 'success',
      code: success,
    })

  /** What was known of them stays with those who knew it, as lines in the operation log of their enterprise. */
  const bidFarewell = async (call: Call, owner: Place, ids: readonly number[]) => {
    for (let at = 0; at < ids.length; at += toldAtOnce) {
      const devices = await findFarewells(call.db, ids.slice(at, at + toldAtOnce))
      const description = `${devices.map(({ sn }) => sn).join(', ')}: ${owner.name} → …`
      await tell(call, owner, { route: handoverRoutes.left, description, before: { devices } })
    }
  }
  const welcome = async (call: Call, owner: Place, target: Target, devices: readonly Known[]) => {
    for (let at = 0; at < devices.length; at += toldAtOnce) {
      const sns = devices.slice(at, at + toldAtOnce).map(({ sn }) => sn)
      await tell(call, owner, { route: handoverRoutes.arrived, description: `${sns.join(', ')}: … → ${target.name}` })
    }
  }

  /** `call.db` is the transaction all of it happens in. */
  const move = async (call: Call, devices: readonly Known[], target: Target) => {
    const { db } = call
    const owners = await enterprisesOf(db, [target.id, ...new Set(devices.map((each) => each.departmentId))])
    const [staying, leaving]: [number[], Map<Place | null, number[]>] = [[], new Map()]
    for (const { id, departmentId } of devices) {
      const owner = owners.get(departmentId) ?? null
      if (owner?.id === owners.get(target.id)?.id) staying.push(id)
      else leaving.set(owner, [...(leaving.get(owner) ?? []), id])
    }
    await moveDevices(db, staying, target.id)
    for (const [owner, ids] of leaving) {
      // Where no enterprise, school or SI stands above, nobody's log is left to tell.
      if (owner) await bidFarewell(call, owner, ids)
      await handOver(db, ids, target.id)
    }
    const newOwner = owners.get(target.id)
    const left = new Set([...leaving.values()].flat())
    const arrived = devices.filter(({ id }) => left.has(id))
    if (newOwner) await welcome(call, newOwner, target, arrived)
    const snsOf = (some: readonly Known[]) => some.map(({ sn }) => sn)
    const data = { departmentId: target.id, sns: snsOf(devices), arrived: snsOf(arrived), userId: call.actor.id }
    await outbox.emit(db, deviceTransferred, [{ key: target.id, data }])
    const tellOfThese = (sns: readonly string[]) => ({ description: `${sns.join(', ')} → ${target.name}` })
    const stay = devices.filter(({ id }) => !left.has(id))
    call.touched(
      stay.map(({ sn, path }) => ({ name: sn, path })),
      tellOfThese,
    )
    // The two enterprises have their own lines by now; this one stands with who moved them.
    const home = (call.actor.operating ?? call.actor.department).path
    call.touched(
      arrived.map(({ sn }) => ({ name: sn, path: home })),
      tellOfThese,
    )
  }

  /**
   * Those that can go do, and each that cannot is named with its reason (behaviour: devices.transfer). A dry run tells the
   * same and moves none.
   */
  const transfer = async (call: Call<{ sns: string[]; departmentId: number; dryRun?: boolean | undefined }>) => {
    const { db, scope, input, caller } = call
    const target = await placeInReach(db, scope, input.departmentId)
    const sns = [...new Set(input.sns)]
    const devices = await lockWithStates(db, scope, sns)
    const why = await refusals(db, devices, target)
    const refused = sns.flatMap((sn) => {
      const error = why(sn)
      return error ? [{ sn, error }] : []
    })
    const stays = new Set(refused.map(({ sn }) => sn))
    const moving = devices.filter(({ sn }) => !stays.has(sn))
    const [first] = refused
    // Where none can go nothing is done in part.
    if (first && moving.length === 0 && !input.dryRun) throw first.error
    if (!input.dryRun) await move(call, moving, target)
    call.note({
      description: `${moving.map(({ sn }) => sn).join(', ')} → ${target.name}`,
      ...(input.dryRun && { type: 'read' }),
    })
    const failed = refused.map(({ sn, error: { code, data } }) => ({
      sn,
      code,
      message: errorText(code, caller.language, data),
    }))
    const answer = answerOf(moving, failed)
    return failed.length > 0 ? new PartialAnswer(answer) : answer
  }

  return { findTarget: placeInReach, refusals, move, transfer }
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
