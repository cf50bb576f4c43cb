import {
  AppError,
  commandErrors,
  commonErrors,
  type createRelease,
  deviceErrors,
  devicesMax,
  type ErrorSpec,
  type Field,
  fieldsSchema,
  type ReleaseKindSpec,
  type ReleaseOptions,
  type ReleaseTarget,
  type Wave,
  waveSizes,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, type Scope, scopeFor } from '../../kit/actor.ts'
import { fromZod, withFieldCode } from '../../kit/answer.ts'
import { reaches } from '../../kit/scope.ts'
import { findOwners } from '../../kit/touched.ts'
import type { Db } from '../../platform/db.ts'
import { type Commands, findTarget, type TargetInput } from '../command/index.ts'
import type { Known } from '../device/index.ts'
import { findMaintenance } from '../organisation/index.ts'
import { type Given, isPushed, type KindRules, type Kinds, type ReleaseItem, type ReleaseWay } from './kinds.ts'
import { findRunning } from './release.store.ts'

type Asked = z.output<typeof createRelease.input>
/** What a preview and a release have in common. */
export type Ordered = Omit<Asked, 'partly' | 'description'>

/** An order that can be meant: what, in which way, and where its giver may release it. */
export interface Order {
  readonly kind: Asked['kind']
  readonly spec: ReleaseKindSpec
  readonly rules: KindRules
  readonly item: ReleaseItem
  readonly way: ReleaseWay
  readonly mode: Asked['mode']
  readonly scope: Scope
}

const wrong = (field: string) => new AppError({ ...commonErrors.wrongFormat, field }, { field })

/** The permission of a kind, on whatever departments one single role grants it. */
export const scopeOf = (actor: Actor, perm: string): Scope => {
  const scope = scopeFor(actor, perm)
  if (!scope) throw new AppError(commonErrors.noPermission, { permission: perm })
  return scope
}

/** All that holds: what was said, and for the rest what the kind says. */
const optionsOf = ({ defaults }: ReleaseKindSpec, given: ReleaseOptions): ReleaseOptions => ({
  ...defaults,
  ...given,
  ...((defaults.timeoutMinutes || given.timeoutMinutes) && {
    timeoutMinutes: { ...defaults.timeoutMinutes, ...given.timeoutMinutes },
  }),
})

/** What the kind asks for, in its own codes. */
const givenOf = ({ fields = {} }: ReleaseKindSpec, given: Given): Given => {
  const read = fieldsSchema(fields).safeParse(given)
  if (read.success) return read.data
  const faults = Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, field]) => (field.faults ? [[name, field.faults]] : [])),
  )
  const error = withFieldCode(fromZod(read.error, given), { faults })
  throw new AppError({ code: error.code, status: error.status, field: `given.${error.field}` }, error.data)
}

/** Options that mean nothing to the kind would be promises that nobody keeps. */
const refuseForeign = (spec: ReleaseKindSpec, { action, installMode, mode, options }: Ordered) => {
  if (action !== undefined && !spec.actions.includes(action)) throw wrong('action')
  if (!spec.modes.includes(mode)) throw wrong('mode')
  if (installMode !== undefined && !spec.installModes.includes(installMode)) throw wrong('installMode')
  for (const name of ['minBattery', 'wifiOnly', 'bytesPerSecond', 'rollBack'] as const)
    if (options[name] !== undefined && !spec.conditions.includes(name)) throw wrong(`options.${name}`)
}

const hasOffset = (time: string) => /(Z|[+-]\d\d:\d\d)$/.test(time)
const refuseTime = ({ errors }: ReleaseKindSpec, { mode, beginTime, zone }: Ordered) => {
  if (mode !== 'scheduled') {
    if (beginTime !== undefined || zone !== undefined) throw wrong('beginTime')
    return
  }
  if (beginTime === undefined) throw new AppError(errors.timeRequired)
  // By the clocks of a zone it has none of its own, and the other way about.
  if (hasOffset(beginTime) === (zone !== undefined)) throw wrong('beginTime')
}

/** Clocks differ, and forms take their time. */
const justPassedMs = 60_000
const refusePassed = ({ errors }: ReleaseKindSpec, times: readonly string[]) => {
  if (times.every((time) => Date.parse(time) < Date.now() - justPassedMs)) throw new AppError(errors.timePassed)
}

/** When each device is told at the earliest; nothing where that is at once. */
export const beginTimes = async (
  db: Db,
  { spec }: Order,
  { mode, beginTime, zone }: Pick<Ordered, 'mode' | 'beginTime' | 'zone'>,
  devices: readonly Known[],
  departmentId: number,
): Promise<ReadonlyMap<number, string>> => {
  if (mode !== 'scheduled' || beginTime === undefined) return new Map()
  if (zone === undefined) {
    refusePassed(spec, [beginTime])
    return new Map(devices.map(({ id }) => [id, new Date(beginTime).toISOString()]))
  }
  const placeOf = (device: Known) => (zone === 'device' ? device.departmentId : departmentId)
  const { rows } = await sql<{
    id: number
    time: string
  }>`select id, ${beginTime}::timestamp at time zone zone_of(id) as time
    from unnest(${[...new Set(devices.map(placeOf))]}::bigint[]) id`.execute(db)
  const times = new Map(rows.map(({ id, time }) => [id, new Date(time).toISOString()]))
  refusePassed(spec, [...times.values()])
  return new Map(devices.map((device) => [device.id, times.get(placeOf(device)) ?? new Date().toISOString()]))
}

/** Who is meant in the words of the command room: a department is whatever stands in it. */
const asTarget = ({ departmentId, ...target }: ReleaseTarget) => {
  if (departmentId === undefined) return target
  if (Object.values(target).some((each) => each !== undefined)) throw wrong('targets')
  return { filter: { departmentId: [departmentId] } }
}

/** The codes of commands in those of the kind. */
const inOwnCodes = async <T>({ errors }: ReleaseKindSpec, find: () => Promise<T>): Promise<T> => {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === commandErrors.tooManyDevices.code)
      throw new AppError(errors.tooMany, { limit: devicesMax } as never)
    if (error.code === commandErrors.noDeviceSelected.code) throw new AppError(errors.noneSelected)
    throw error
  }
}

/** Departments that are named as a whole, of those in reach. */
export const departmentsNamed = async (db: Db, scope: Scope, targets: readonly ReleaseTarget[]): Promise<number[]> => {
  const ids = [...new Set(targets.flatMap(({ departmentId }) => departmentId ?? []))]
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`select d.id from department d
    where d.id = any(${ids}) and ${reaches(scope, sql`d.path`)}`.execute(db)
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { id: missing })
  return ids
}

/** Reads orders: what could not be meant is refused before anybody is looked for. */
export const createOrders = ({
  kinds,
  command,
}: {
  readonly kinds: Kinds
  readonly command: Pick<Commands, 'refusals'>
}) => {
  /** `perm` is that of an address of its own; everywhere else the kind's. */
  const read = async (db: Db, actor: Actor, given: Ordered, perm?: string): Promise<Order> => {
    const spec = kinds.spec(given.kind)
    const scope = scopeOf(actor, perm ?? spec.perms.release)
    refuseForeign(spec, given)
    refuseTime(spec, given)
    const rules = kinds.of(given.kind)
    const item = await rules.find(db, scope, given.itemId)
    if (!item) throw new AppError(spec.errors.notFound)
    const action = given.action ?? spec.actions[0]
    const way = {
      action,
      // How it is installed means nothing to what is taken away.
      installMode: action === spec.actions[0] ? (given.installMode ?? spec.installModes[0] ?? null) : null,
      options: optionsOf(spec, given.options),
      given: givenOf(spec, given.given ?? {}),
    }
    await rules.check?.(db, item, way)
    return { kind: given.kind, spec, rules, item, way, mode: given.mode, scope }
  }

  const devicesOf = (db: Db, { spec, scope }: Order, { targets, without }: Ordered) => {
    if (targets.length === 0) throw new AppError(spec.errors.noneSelected)
    const meant: TargetInput = { targets: targets.map(asTarget), without }
    return inOwnCodes(spec, () => findTarget(db, scope, meant))
  }

  const offline = ({ mode, way }: Order, devices: readonly Known[]) =>
    mode === 'realTime' && isPushed(way)
      ? devices.filter(({ online }) => !online).map(({ sn }) => new AppError(deviceErrors.offline, { sn }))
      : []
  const withoutWindow = async (db: Db, { way }: Order, devices: readonly Known[]) => {
    if (!way.options.maintenance) return []
    const windows = await findMaintenance(
      db,
      devices.map(({ departmentId }) => departmentId),
      new Date(),
    )
    return devices
      .filter(({ departmentId }) => !windows.has(departmentId))
      .map(({ sn }) => new AppError(commandErrors.noMaintenanceWindow, { sn }))
  }
  const running = async (db: Db, { kind, spec }: Order, devices: readonly Known[]) => {
    const busy = await findRunning(
      db,
      kind,
      devices.map(({ id }) => id),
    )
    return devices
      .filter(({ id }) => busy.has(id))
      .map(({ sn }) => new AppError(spec.errors.deviceRunning as ErrorSpec, { sn }))
  }

  /** Who cannot take it and why; of several reasons the first that is found. */
  const refusals = async (db: Db, order: Order, devices: readonly Known[], unknown: readonly string[]) => {
    const { rules, item, way, scope, spec } = order
    const owners = await findOwners(
      db,
      devices.map(({ path }) => path),
    )
    if (spec.errors.severalOrganisations && new Set([...owners.values()].map(({ id }) => id)).size > 1)
      throw new AppError(spec.errors.severalOrganisations)
    const told = await rules.command(db, item, way)
    const all = [
      ...unknown.map((sn) => new AppError(deviceErrors.notFound, { sn })),
      ...(await running(db, order, devices)),
      ...((await rules.refuse?.(db, item, devices, way)) ?? []),
      ...(await command.refusals(db, scope, told, devices)),
      ...(await withoutWindow(db, order, devices)),
      ...offline(order, devices),
    ]
    const first = new Map<string, AppError>()
    for (const error of all) {
      const sn = String(error.data?.sn)
      if (!first.has(sn)) first.set(sn, error)
    }
    return first
  }

  return { read, devicesOf, refusals }
}
export type Orders = ReturnType<typeof createOrders>

/** The waves of so many devices; where nobody is told, all at once. */
export const wavesOf = (way: Pick<ReleaseWay, 'installMode' | 'options'>, total: number) => {
  const { waves, bakeMinutes = 0 } = way.options
  const once: Wave[] = [{ percent: 100 }]
  return waveSizes((isPushed(way) && waves) || once, total).map(({ wave, devices }) => ({
    devices: 'devices' in wave ? wave.devices : null,
    percent: 'percent' in wave ? wave.percent : null,
    size: devices,
    bakeMinutes: wave.bakeMinutes ?? bakeMinutes,
  }))
}

/** Those that are there come first, so that the first waves tell something soon; then by their numbers. */
export const inWaveOrder = (devices: readonly Known[]): Known[] =>
  devices.toSorted((a, b) => Number(b.online) - Number(a.online) || a.id - b.id)
