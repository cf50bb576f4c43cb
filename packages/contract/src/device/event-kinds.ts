import * as declaredEvents from '../events.ts'
import type { DeviceEventKind } from '../kit/index.ts'

const isEventKind = (value: unknown): value is DeviceEventKind =>
  typeof value === 'object' && value !== null && 'type' in value && 'meaning' in value && 'data' in value

/** Every kind of event that a room takes from devices: whatever `events.ts` names. */
export const deviceEventKinds: readonly DeviceEventKind[] = (
  Object.values(declaredEvents) as readonly unknown[]
).filter(isEventKind)

/** Words of those that a timeline leaves out. */
export const unshownEvents: readonly string[] = deviceEventKinds
  .filter(({ shown }) => shown === false)
  .map(({ type }) => type)

/** Where people find the name of an event: in the texts of the room that takes it, of any other among those of the device's page. */
export const eventTextKey = (type: string): string =>
  `${deviceEventKinds.find((kind) => kind.type === type)?.texts ?? 'deviceDetail'}.event.${type}`
