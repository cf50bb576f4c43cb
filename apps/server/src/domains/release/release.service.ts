import { AppError, type createRelease, devicesMax, type ErrorSpec } from '@campanile/contract'
import type { z } from 'zod'
import { PartialAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import type { Signals } from '../../platform/signals.ts'
import { inWords, seatsOf } from '../command/index.ts'
import type { Known } from '../device/index.ts'
import { isPushed } from './kinds.ts'
import { releaseChannel } from './live.ts'
import { beginTimes, departmentsNamed, inWaveOrder, type Order, type Orders, wavesOf } from './order.ts'
import { insertDevices, insertRelease, insertTargets, settleSizes, writeSteps } from './release.store.ts'

type Asked = z.output<typeof createRelease.input>

interface Made {
  readonly id: number
  readonly number: string
  readonly total: number
}
interface Part {
  readonly departmentId: number
  readonly devices: readonly Known[]
  readonly times: ReadonlyMap<number, string>
  readonly departments: readonly number[]
  readonly description: string | null
  readonly creatorId: number
  readonly refused: number
  readonly undoes?: number
}

/** Makes releases: rows that the engine takes from there. */
export const createReleases = ({
  orders,
  signals,
}: {
  readonly orders: Orders
  readonly signals: Pick<Signals, 'send'>
}) => {
  /**
   * One release at one place. Those that another release was faster on by the length of a transaction are answered; the
   * table refuses them.
   */
  const make = async (db: Db, order: Order, part: Part): Promise<Made & { readonly slow: readonly string[] }> => {
    const { kind, item, way, mode, spec, rules } = order
    const devices = inWaveOrder(part.devices)
    const waves = wavesOf(way, devices.length)
    const made = await insertRelease(db, {
      kind,
      item,
      mode,
      ...way,
      description: part.description,
      departmentId: part.departmentId,
      creatorId: part.creatorId,
      beginTime: [...part.times.values()].sort()[0] ?? null,
      waves,
      undoes: part.undoes ?? null,
    })
    const busy = await insertTargets(db, { id: made.id, kind }, part.departments)
    if (busy !== undefined) throw new AppError(spec.errors.departmentRunning as ErrorSpec, { departmentId: busy })
    const versions =
      (await rules.versionsOf?.(
        db,
        item,
        devices.map(({ id }) => id),
      )) ?? new Map<number, string>()
    const ends = waves.map((_, at) => waves.slice(0, at + 1).reduce((sum, { size }) => sum + size, 0))
    const slow = await insertDevices(
      db,
      { id: made.id, kind },
      devices.map((device, at) => ({
        device,
        wave: ends.findIndex((end) => at < end) + 1,
        beginTime: part.times.get(device.id) ?? null,
        oldVersion: versions.get(device.id) ?? null,
      })),
      isPushed(way),
    )
    await settleSizes(db, made.id, part.refused + slow.length)
    await writeSteps(db, { id: made.id, departmentId: part.departmentId }, [{ what: 'created', by: part.creatorId }])
    await rules.after?.(db, item, 'created', way)
    await signals.send(db, releaseChannel, String(made.id))
    return { ...made, total: devices.length - slow.length, slow }
  }

  /** To all of them, or to none and the first that refuses is named; where it may go to a part, to those that can take it. */
  const create = async (call: Call<Asked>, perm?: string) => {
    const { db, actor, scope, input, caller } = call
    const order = await orders.read(db, actor, input, perm)
    const { devices, unknown } = await orders.devicesOf(db, order, input)
    const departments = await departmentsNamed(db, order.scope, input.targets)
    const out = await orders.refusals(db, order, devices, unknown)
    const taking = devices.filter(({ sn }) => !out.has(sn))
    const [refusal] = out.values()
    if (refusal && (!input.partly || taking.length === 0)) throw refusal
    if (taking.length > devicesMax) throw new AppError(order.spec.errors.tooMany, { limit: devicesMax } as never)
    const left = [...out.values()]
    const made: Made[] = []
    for (const [departmentId, own] of await seatsOf(db, order.scope, scope.departmentId, taking)) {
      const first = made.length === 0
      const { slow, ...one } = await make(db, order, {
        departmentId,
        devices: own,
        times: await beginTimes(db, order, input, own, departmentId),
        departments: first ? departments : [],
        description: input.description || null,
        creatorId: actor.id,
        refused: first ? out.size : 0,
      })
      const late = slow.map((sn) => new AppError(order.spec.errors.deviceRunning as ErrorSpec, { sn }))
      if (late[0] && (!input.partly || one.total === 0)) throw late[0]
      left.push(...late)
      made.push(one)
      call.touched(
        own.map(({ sn, path }) => ({ name: sn, path })),
        (sns) => ({
          description: `${order.item.name}: ${sns.join(', ')}`,
          after: { release: one.number, ...order.way },
        }),
      )
    }
    const [named] = made
    if (!named) throw new AppError(order.spec.errors.noneSelected)
    const answer = {
      ...named,
      total: made.reduce((all, { total }) => all + total, 0),
      refused: left.length,
      ...(left.length > 0 && { refusedReasons: inWords(left, caller.language) }),
      ...(made.length > 1 && { releases: made }),
    }
    return left.length > 0 ? new PartialAnswer(answer) : answer
  }

  return { make, create }
}
export type Releases = ReturnType<typeof createReleases>
