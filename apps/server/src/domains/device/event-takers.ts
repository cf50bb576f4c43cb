import { type DeviceEventKind, type EventData, eventDataSchema, type protocol } from '@campanile/contract'
import type { z } from 'zod'
import type { Db } from '../../platform/db.ts'
import type { EventRow, NewEvent } from './ingest.store.ts'
import { type Wrong, wrongOf } from './message.ts'

/** An event of a declared kind, as the room that takes it gets it. */
interface TakenEvent<D = unknown> {
  readonly deviceId: number
  readonly sn: string
  /** Where the device stands. */
  readonly departmentId: number
  /** Unique for its device. */
  readonly id: string
  readonly time: string
  /** The device gave no time: it is the one of receipt. */
  readonly serverTime: boolean
  readonly level: z.output<typeof protocol.event>['level']
  readonly text: string | null
  readonly data: D
}

export type TakeEvents<D> = (tx: Db, events: readonly TakenEvent<D>[]) => Promise<unknown>

/** An event on its way into the database; `data` where a room takes it. */
export type ToldEvent = EventRow & { readonly sn: string; readonly data?: unknown }

/** Which rooms take which kinds of events. */
export const createEventTakers = () => {
  const takers = new Map<string, { schema: z.ZodType; rooms: TakeEvents<never>[] }>()

  return {
    add: <K extends DeviceEventKind>(kind: K, take: TakeEvents<EventData<K>>) => {
      const taker = takers.get(kind.type) ?? { schema: eventDataSchema(kind), rooms: [] }
      takers.set(kind.type, taker)
      taker.rooms.push(take)
    },
    isTaken: (type: string) => takers.has(type),
    /** What a room gets of an event: its data as declared, or what is wrong with it; nothing for a kind that nobody takes. */
    read: ({ type, data }: EventRow['event']): { data: unknown } | { wrong: Wrong } | undefined => {
      const taker = takers.get(type)
      if (!taker) return undefined
      const read = taker.schema.safeParse(data ?? {})
      if (read.success) return { data: read.data }
      const { field, ...wrong } = wrongOf(read.error)
      return { wrong: { ...wrong, field: field === undefined ? 'data' : `data.${field}` } }
    },
    /** Each room with those of its kind, in the order in which they came. */
    hand: async (tx: Db, told: readonly ToldEvent[], added: readonly NewEvent[]): Promise<void> => {
      const departments = new Map(added.map(({ id, eventId, departmentId }) => [`${id} ${eventId}`, departmentId]))
      const kinds = new Map<string, TakenEvent[]>()
      for (const { id: deviceId, sn, event, serverTime = false, data } of told) {
        const key = `${deviceId} ${event.id}`
        const departmentId = departments.get(key)
        // Told twice in one batch, it is the first that was kept.
        departments.delete(key)
        if (data === undefined || departmentId === undefined) continue
        const { id, ts, type, level, text = null } = event
        const taken = {
          deviceId,
          sn,
          departmentId,
          id,
          time: new Date(ts).toISOString(),
          serverTime,
          level,
          text,
          data,
        }
        const others = kinds.get(type)
        if (others) others.push(taken)
        else kinds.set(type, [taken])
      }
      for (const [type, events] of kinds)
        for (const take of takers.get(type)?.rooms ?? []) await (take as TakeEvents<unknown>)(tx, events)
    },
  }
}
export type EventTakers = ReturnType<typeof createEventTakers>
