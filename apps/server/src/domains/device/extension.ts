import type { DeviceDetail } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RefusalReason } from '../../gateway/wire.ts'
import type { Actor } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'

type Sql = RawBuilder<unknown>

/** Fields of lists of devices that a later room knows, by list and field. */
type ExtendedColumn =
  | 'device.pending'
  | 'device.licence'
  | 'robot.lastTask'
  | 'robot.lastTaskState'
  | 'videoPhone.licence'
  | 'videoPhone.licenceExpiry'
  | 'videoPhone.powerOff'
  | 'videoPhone.powerOn'
  | 'videoPhone.powerSetTime'
type ExtendedFilter = 'device.licence' | 'videoPhone.licence'
type ExtendedDetail = Pick<DeviceDetail, 'licence'>
type ExtendedFigure = 'deviceCertCount' | 'licencesExpiring'

/** One page of a timeline: what a source must be older than, and its order and size. */
export interface TimelinePage {
  readonly device: { readonly id: number; readonly sn: string }
  readonly actor: Actor
  readonly earlier: (time: Sql) => Sql
  readonly newest: Sql
}

/**
 * What a later room knows of devices and this room shows. Wherever SQL is given, the device is `t` and its department `d`.
 * Every part is optional.
 */
export interface DeviceExtension {
  readonly columns?: Partial<Record<ExtendedColumn, Sql>>
  readonly filters?: Partial<Record<ExtendedFilter, (values: readonly string[]) => RawBuilder<SqlBool>>>
  /** Queries of `time, kind, title, level, data`, each its newest by an index of its own. */
  readonly timeline?: (page: TimelinePage) => readonly Sql[]
  readonly detail?: (db: Db, deviceId: number) => Promise<Partial<ExtendedDetail>>
  /** Of the devices for which this holds. */
  readonly figures?: (where: RawBuilder<SqlBool>) => Partial<Record<ExtendedFigure, RawBuilder<number>>>
  /** Why a device whose credential is right is not let in all the same. */
  readonly admission?: { readonly reason: RefusalReason; readonly refusedWhen: RawBuilder<SqlBool> }
  /** What an enterprise is told of a device that leaves it, as JSON by its name. */
  readonly farewell?: Readonly<Record<string, Sql>>
  /** What passes with a device to another enterprise: read before it gets its new number, written by what this answers. */
  readonly handover?: (db: Db, ids: readonly number[]) => Promise<() => Promise<unknown>>
  /** The department that a serial number belongs to before its device is registered. */
  readonly reservedFor?: (sn: Sql) => Sql
}

/** By the room that brings it. It is code and no installation's data, so it is kept once for every server of a process. */
const extensions = new Map<string, DeviceExtension>()

export const extendDevices = (room: string, extension: DeviceExtension) => {
  extensions.set(room, extension)
}

/** Every such part that a room has brought. */
export const broughtParts = <K extends keyof DeviceExtension>(part: K): NonNullable<DeviceExtension[K]>[] => {
  const found: NonNullable<DeviceExtension[K]>[] = []
  for (const { [part]: each } of extensions.values()) if (each !== undefined) found.push(each)
  return found
}

export const broughtColumn = (name: ExtendedColumn) => (): Sql => {
  const found = broughtParts('columns').find((columns) => columns[name])?.[name]
  if (!found) throw new Error(`no room tells ${name}`)
  return found
}

export const broughtFilter = (name: ExtendedFilter) => (values: readonly string[]) => {
  const filter = broughtParts('filters').find((filters) => filters[name])?.[name]
  if (!filter) throw new Error(`no room filters ${name}`)
  return filter(values)
}

export const broughtFigure = (name: ExtendedFigure, where: RawBuilder<SqlBool>): RawBuilder<number> =>
  broughtParts('figures')
    .map((figures) => figures(where)[name])
    .find((figure) => figure !== undefined) ?? sql<number>`0`

export const broughtDetail = async (db: Db, deviceId: number): Promise<ExtendedDetail> =>
  Object.assign({ licence: null }, ...(await Promise.all(broughtParts('detail').map((part) => part(db, deviceId)))))
