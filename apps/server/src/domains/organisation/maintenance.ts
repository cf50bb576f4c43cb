import { AppError, organisationErrors } from '@campanile/contract'
import { sql } from 'kysely'
import { covers, type Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import { hoursAt } from '../../platform/recurrence.ts'

interface MaintenanceHours {
  readonly maintenanceFrom?: string | null | undefined
  readonly maintenanceTo?: string | null | undefined
  readonly maintenanceDays?: readonly number[] | null | undefined
}

export const namesWindow = ({ maintenanceFrom, maintenanceTo, maintenanceDays }: MaintenanceHours): boolean =>
  maintenanceFrom !== undefined || maintenanceTo !== undefined || maintenanceDays !== undefined

/** Both ends or none, and some time between them. */
export const mustBeWindow = ({ maintenanceFrom, maintenanceTo, maintenanceDays }: MaintenanceHours): void => {
  const { maintenanceHalf, maintenanceEmpty } = organisationErrors
  if (!maintenanceFrom && (maintenanceTo || maintenanceDays))
    throw new AppError({ ...maintenanceHalf, field: 'maintenanceFrom' })
  if (maintenanceFrom && !maintenanceTo) throw new AppError(maintenanceHalf)
  if (maintenanceFrom && maintenanceFrom === maintenanceTo) throw new AppError(maintenanceEmpty)
}

/** The maintenance window of a department that is open at a moment, or opens next after it. */
export interface MaintenanceWindow {
  /** Its hours as people read them, with whose clocks show them: `02:00–04:00 Europe/Paris`. */
  readonly hours: string
  /** ISO days of the week on which it begins; nothing where that is every day. */
  readonly days: readonly number[] | null
  /** Whose it is: the department itself or an organisation above it. */
  readonly of: { readonly id: number; readonly name: string; readonly path: string }
  readonly opens: Date
  /** What has not begun by then waits for the next. */
  readonly closes: Date
  readonly open: boolean
}

interface Stored {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly days: number[] | null
  readonly zone: string
  readonly ofId: number
  readonly ofName: string
  readonly ofPath: string
}

/**
 * The window each of these departments has at a moment: its own or that of the nearest organisation above, by its own clocks
 * (behaviour: organisations.maintenance). Those without one are missing.
 */
export const findMaintenance = async (
  db: Db,
  departmentIds: readonly number[],
  at: Date,
): Promise<ReadonlyMap<number, MaintenanceWindow>> => {
  const { rows } = await sql<Stored>`select d.id, w.maintenance_from as "from", w.maintenance_to as "to",
      w.maintenance_days as days, zone_of(d.id) as zone, w.id as "ofId", w.name as "ofName", w.path::text as "ofPath"
    from department d cross join lateral (select above.* from department above
      where above.path @> d.path and above.maintenance_from is not null order by nlevel(above.path) desc limit 1) w
    where d.id = any(${[...new Set(departmentIds)]})`.execute(db)
  return new Map(
    rows.map(({ id, from, to, days, zone, ofId, ofName, ofPath }) => {
      const { opens, closes } = hoursAt({ from, to, zone, ...(days && { weekdays: days }) }, at)
      const of = { id: ofId, name: ofName, path: ofPath }
      return [id, { hours: `${from}–${to} ${zone}`, days, of, opens, closes, open: opens <= at }]
    }),
  )
}

/**
 * The names of the organisations a window is that of, as far as somebody reaches: of what stands above not even a name is
 * told, and there are none.
 */
export const sourcesOf = (scope: Scope, of: readonly MaintenanceWindow['of'][]): string[] => [
  ...new Set(of.flatMap(({ name, path }) => (covers(scope, path) ? [name] : []))),
]
