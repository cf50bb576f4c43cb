import { z } from 'zod'
import { choice, givingWay, lines, mono, several } from '../kit/index.ts'

/** What a serial number may hold; a slash separates several, and MQTT's wildcards must never be in one (behaviour: devices.serial). */
export const serialNumber = /^[A-Za-z0-9_.:-]+$/
export const serialMax = 64
/** Devices in one release, batch, geofence or template (behaviour: api.many). */
export const devicesMax = 10_000
/** behaviour: devices.several-serials */
export const serialsInFilter = 200

/** The codes of the device types that have a list of their own (behaviour: devices.types). */
export const deviceTypes = { robot: 3, videoPhone: 4, selfService: 5 } as const

export const iotStates = ['online', 'offline', 'flapping'] as const
/**
 * Activated and bound: it has activated and stands in an organisation with a credential. Unbound: it has activated once and
 * has none now, because it was unbound, wiped or came from another enterprise. Unbinding: it was told to, and neither has
 * it confirmed nor is the wait over.
 */
export const activationStates = { notActivated: 0, unbound: 1, bound: 2, unbinding: 3 } as const
/** Whether it is there now. One that was never activated is not offline, wherever it is said (behaviour: devices.offline). */
export const connection = () =>
  givingWay({ value: 'offline', field: 'activationStatus', where: activationStates.notActivated }, choice(iotStates))
/** Of the licence to connect; none was given, or the last one was taken away. */
export const deviceLicences = ['none', 'active', 'expiring', 'expired', 'disabled'] as const
export const robotStates = ['working', 'idle', 'charging', 'breakdown'] as const
/**
 * What is wrong with a device that is in use, by what it says and when it was last there. `away`: activated and bound, and not
 * connected for a day (behaviour: devices.offline); `paper`, `printer`, `cash`: its printer or its cash unit says anything but
 * "ok"; `battery`: nearly empty and not charging while it is connected; `traffic`: has reached the alarm of its limit this month.
 */
export const deviceProblems = ['breakdown', 'away', 'paper', 'battery', 'traffic', 'cash', 'printer'] as const
export type DeviceProblem = (typeof deviceProblems)[number]
export const chargingStates = ['unknown', 'charging', 'notCharging'] as const

/** A line of somebody's file that came to nothing, and why. */
export const failedSerial = z.object({
  row: z.number().int(),
  sn: z.string(),
  code: z.number().int(),
  message: z.string(),
})
/** The serial number of a device. A list is asked for one by part of it, or for several as they stand. */
export const serial = () => ({
  ...several(serialsInFilter, mono(serialMax, serialNumber)),
  serial: true,
})

/** Several devices, by their serial numbers. */
export const serials = () => ({
  ...lines(),
  schema: z.array(z.string().regex(serialNumber).max(serialMax)).min(1).max(devicesMax),
})
