import { z } from 'zod'
import type { Fields, FieldValues } from './resource.ts'
import { fieldsShape, refuseMissing } from './schema.ts'

/** A kind of event that a room takes from devices. */
export interface DeviceEventKind<F extends Fields = Fields> {
  /** The word a device says. */
  readonly type: string
  /** The file of texts where people find its name: `event.<type>.title`, and `event.<type>.text` where its data says more. */
  readonly texts: string
  /** For whoever writes a device's client: stands in docs/device-protocol.md. */
  readonly meaning: string
  /** False of what is told again and again and would bury everything else on a timeline: it stands there only where it was not taken. */
  readonly shown?: false
  /** What `data` holds. */
  readonly data: F
}

export const defineDeviceEvent = <const F extends Fields>(kind: DeviceEventKind<F>): DeviceEventKind<F> => kind

export type EventData<K extends DeviceEventKind> = FieldValues<K['data']>

/** The rule for what a device tells with such an event. Names that nobody declared are passed over, as everywhere in a message. */
export const eventDataSchema = ({ data }: DeviceEventKind): z.ZodObject =>
  z.object(fieldsShape(data)).check(refuseMissing(data) as never)
