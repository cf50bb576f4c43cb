import { AppError, commandErrors, commonErrors, mayWaitLonger, waitMinutesMax } from '@campanile/contract'
import type { Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Known } from '../device/index.ts'
import { findMaintenance, type MaintenanceWindow, sourcesOf } from '../organisation/index.ts'
import type { PlannedWindow } from './command.store.ts'

const keyOf = ({ hours, days, opens }: Pick<MaintenanceWindow, 'hours' | 'days' | 'opens'>) =>
  `${opens.getTime()} ${hours} ${days}`
const withoutWindow = ({ sn }: Known) => new AppError(commandErrors.noMaintenanceWindow, { sn })
const windowsOf = (db: Db, devices: readonly Known[], at: Date) =>
  findMaintenance(
    db,
    devices.map(({ departmentId }) => departmentId),
    at,
  )

/** A window says itself when it is and for how long. */
export const refuseMixedTiming = (timing: {
  readonly maintenance?: boolean | undefined
  readonly sendTime?: string | undefined
  readonly waitMinutes?: number | undefined
}): void => {
  if (timing.maintenance && (timing.sendTime !== undefined || timing.waitMinutes !== undefined))
    throw new AppError({ ...commonErrors.wrongFormat, field: 'maintenance' }, { field: 'maintenance' })
}

/** As long as the window is open, unless the command is for now or never (behaviour: commands.window). */
export const minutesInWindow = (spec: { readonly waitMinutes: number }): number =>
  mayWaitLonger(spec) ? waitMinutesMax : spec.waitMinutes

/** Those whose windows have the same hours and days; `of`: whose windows these are. */
interface Shift {
  readonly window: MaintenanceWindow
  readonly of: Map<number, MaintenanceWindow['of']>
  readonly devices: Known[]
}

/** Who is told when: the windows that are open first, then the others as they open; and those that have none. */
export const shiftsOf = async (db: Db, devices: readonly Known[], at = new Date()) => {
  const windows = await windowsOf(db, devices, at)
  const shifts = new Map<string, Shift>()
  const refused: AppError[] = []
  for (const device of devices) {
    const window = windows.get(device.departmentId)
    if (!window) refused.push(withoutWindow(device))
    else {
      const shift = shifts.get(keyOf(window))
      if (shift) {
        shift.devices.push(device)
        shift.of.set(window.of.id, window.of)
      } else shifts.set(keyOf(window), { window, of: new Map([[window.of.id, window.of]]), devices: [device] })
    }
  }
  const order = [...shifts.values()].sort((a, b) => a.window.opens.getTime() - b.window.opens.getTime())
  const told = (open: boolean) => order.flatMap((shift) => (shift.window.open === open ? shift.devices : []))
  return { shifts: order, now: told(true), later: told(false), refused }
}
export type Shifts = Awaited<ReturnType<typeof shiftsOf>>

/** The windows in which any of these are told, in words for somebody. */
export const toldWindows = ({ shifts }: Shifts, scope: Scope, isTold: (device: Known) => boolean) =>
  shifts
    .map(({ window: { hours, days, opens, closes, open }, of, devices }) => ({
      hours,
      days: days && [...days],
      of: sourcesOf(scope, [...of.values()]),
      opens: opens.toISOString(),
      closes: closes.toISOString(),
      open,
      devices: devices.filter(isTold).length,
    }))
    .filter((each) => each.devices > 0)

/** Why nobody can be told in the window: it is over, or their organisations have another one by now, or none. */
export const closedFor = (closed: Iterable<AppError>): AppError =>
  [...closed].every(({ code }) => code === commandErrors.maintenanceClosed.code)
    ? new AppError(commandErrors.maintenanceClosed)
    : new AppError(commandErrors.maintenanceChanged)

interface WindowedTask {
  readonly sendTime: string
  readonly hours: string | null
  readonly days: readonly number[] | null
  readonly end: string | null
  readonly window: PlannedWindow
}

/**
 * Of the devices an order means by now, those that are this task's: whom it was planned for, and who has come to its window
 * since. Who may no longer be told in it is refused; `until`: when the first of their windows closes.
 */
export const findShift = async (db: Db, task: WindowedTask, devices: readonly Known[]) => {
  // Clocks of servers differ: it is never earlier than the hour it was planned for.
  const at = new Date(Math.max(Date.now(), Date.parse(task.sendTime)))
  const windows = await windowsOf(db, devices, at)
  const planned = new Set(task.window.ids)
  const key = keyOf({ hours: task.hours ?? '', days: task.days, opens: new Date(task.sendTime) })
  const own = devices.filter(({ id, departmentId }) => {
    if (planned.has(id)) return true
    const window = windows.get(departmentId)
    return window ? keyOf(window) === key : task.window.rest
  })
  const out = new Map<string, AppError>()
  const closing = task.end === null ? [] : [Date.parse(task.end)]
  for (const device of own) {
    const window = windows.get(device.departmentId)
    if (!window) out.set(device.sn, withoutWindow(device))
    else if (window.open) closing.push(window.closes.getTime())
    else {
      const isAnother = window.hours !== task.hours || String(window.days) !== String(task.days)
      const spec = isAnother ? commandErrors.maintenanceChanged : commandErrors.maintenanceClosed
      out.set(device.sn, new AppError(spec, { sn: device.sn }))
    }
  }
  return { own, out, until: new Date(Math.min(...closing)) }
}
