import {
  AppError,
  commandErrors,
  commonErrors,
  deviceErrors,
  devicesMax,
  type OneTarget,
  type targetShape,
} from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { isUnder, type Scope } from '../../kit/actor.ts'
import { idOfPath } from '../../kit/department.ts'
import { matchingNow } from '../../kit/list/query.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import { findOwners } from '../../kit/touched.ts'
import type { Db } from '../../platform/db.ts'
import { deviceTable, findBySns, findStranger, type Known, knownColumns, readFilter } from '../device/index.ts'

const findWhere = async (db: Db, where: RawBuilder<SqlBool>): Promise<Known[]> =>
  (
    await sql<Known>`select ${knownColumns} from ${source(deviceTable)} where ${where} order by t.id
      limit ${devicesMax + 1}`.execute(db)
  ).rows

export type TargetInput = { [K in keyof typeof targetShape]?: z.output<(typeof targetShape)[K]> }

const waysOf = ({ sns, groupId, filter, except }: Pick<TargetInput, 'sns' | 'groupId' | 'filter' | 'except'>) => [
  ...(sns?.length ? [{ sns }] : []),
  ...(groupId === undefined ? [] : [{ groupId }]),
  ...(filter ? [{ filter, except }] : []),
]

/** The one way to name devices that was used, or each of several that were named as such. */
const readTargets = ({ targets, ...meant }: TargetInput): OneTarget[] => {
  const ways = waysOf(meant)
  const several = targets?.map(waysOf) ?? []
  const mixed = (field: string) => new AppError({ ...commonErrors.wrongFormat, field }, { field })
  if (ways.length + (targets ? 1 : 0) > 1) throw mixed('sns')
  if (several.some(({ length }) => length > 1)) throw mixed('targets')
  const all = [...ways, ...several.flat()]
  if (all.length === 0) throw new AppError(commandErrors.noDeviceSelected)
  return all
}

interface TargetDevices {
  readonly devices: Known[]
  readonly unknown: string[]
}

const findDevicesOf = async (db: Db, scope: Scope, target: OneTarget): Promise<TargetDevices> => {
  if ('sns' in target) {
    const sns = [...new Set(target.sns)]
    if (sns.length > devicesMax) throw new AppError(commandErrors.tooManyDevices, { limit: devicesMax })
    const devices = await findBySns(db, scope, sns)
    const found = new Set(devices.map(({ sn }) => sn))
    return { devices, unknown: sns.filter((sn) => !found.has(sn)) }
  }
  const filters =
    'groupId' in target
      ? { groupId: [target.groupId] }
      : { ...readFilter(target.filter), ...(target.except && { except: target.except }) }
  return { devices: await findWhere(db, await matchingNow(db, deviceTable, scope, filters)), unknown: [] }
}

/**
 * The devices meant, as they are at this moment, at most ten thousand and each once, the serial numbers of none within
 * reach, and how many each of several targets names.
 */
export const findTarget = async (
  db: Db,
  scope: Scope,
  meant: TargetInput,
): Promise<TargetDevices & { readonly each: number[] }> => {
  const found = new Map<string, Known>()
  const missed = new Set<string>()
  const each: number[] = []
  for (const target of readTargets(meant)) {
    const { devices, unknown } = await findDevicesOf(db, scope, target)
    for (const device of devices) found.set(device.sn, device)
    for (const sn of unknown) missed.add(sn)
    if (found.size > devicesMax) throw new AppError(commandErrors.tooManyDevices, { limit: devicesMax })
    each.push(devices.length + unknown.length)
  }
  for (const sn of meant.without ?? []) {
    found.delete(sn)
    missed.delete(sn)
  }
  // The way that was used found nobody.
  if (found.size + missed.size === 0)
    throw new AppError({
      ...commandErrors.noDeviceSelected,
      field: Object.keys(waysOf(meant)[0] ?? { sns: [] })[0] ?? 'sns',
    })
  return { devices: [...found.values()], unknown: [...missed], each }
}

/** The same where each of them has to be there. */
export const resolveTarget = async (db: Db, scope: Scope, meant: TargetInput): Promise<Known[]> => {
  const { devices, unknown } = await findTarget(db, scope, meant)
  if (unknown[0] !== undefined) throw new AppError(deviceErrors.notFound, { sn: unknown[0] })
  return devices
}

/** Devices that a room names by their rows. */
export const findTargets = async (db: Db, scope: Scope, ids: readonly number[]): Promise<Known[]> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) throw new AppError(commandErrors.noDeviceSelected)
  if (wanted.length > devicesMax) throw new AppError(commandErrors.tooManyDevices, { limit: devicesMax })
  const devices = await findWhere(db, sql`t.id = any(${wanted}) and ${inScope(deviceTable, scope)}`)
  const found = new Set(devices.map(({ id }) => id))
  const missing = wanted.find((id) => !found.has(id))
  if (missing !== undefined) throw new AppError(deviceErrors.notFound, { sn: `#${missing}` })
  return devices
}

/** What a room reaches that acts for a department and nobody in particular. */
export const scopeBelow = async (db: Db, departmentId: number): Promise<Scope> => {
  const { rows } = await sql<{
    path: string
  }>`select path::text as path from department where id = ${departmentId}`.execute(db)
  return { paths: rows.map(({ path }) => path), everything: false, actorId: 0, departmentId }
}

/**
 * Where the tasks for these devices lie: with their enterprise, so that its people see, cancel and give up what was ordered
 * from above; no higher than whoever orders reaches there, or they would not see it themselves. What is given at home lies
 * where it was given.
 */
export const seatsOf = async (db: Db, scope: Scope, departmentId: number, devices: readonly Known[]) => {
  const { rows } = await sql<{
    path: string
  }>`select path::text as path from department where id = ${departmentId}`.execute(db)
  const home = rows[0]?.path ?? ''
  const owners = await findOwners(
    db,
    devices.map(({ path }) => path),
  )
  const seatOf = ({ path }: Known): number => {
    const owner = owners.get(path)
    if (!owner || isUnder(home, owner.path)) return departmentId
    const reached = scope.paths.find((root) => isUnder(path, root)) ?? owner.path
    return isUnder(reached, owner.path) ? idOfPath(reached) : owner.id
  }
  const seats = new Map<number, Known[]>()
  for (const each of devices) {
    const seat = seatOf(each)
    const own = seats.get(seat)
    if (own) own.push(each)
    else seats.set(seat, [each])
  }
  return seats
}

/**
 * What is kept in an enterprise, a task with its figures or a setting with its results, is read by its people: it is about
 * devices of that enterprise only.
 */
export const mustStandUnder = async (db: Db, departmentId: number, devices: readonly Known[]) => {
  const stranger = await findStranger(
    db,
    departmentId,
    devices.map(({ id }) => id),
  )
  if (stranger !== undefined) throw new AppError(deviceErrors.ownedByAnother, { sn: stranger })
}
