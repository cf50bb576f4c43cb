import { Counter, Gauge, type Registry } from 'prom-client'
import { laneCount } from '../../gateway/wire.ts'

const windowMs = 10_000

/** How the way from devices to the database is doing, for `/metrics`. */
export const createDeviceMeters = (register: Registry, connected: () => number) => {
  const registers = [register]
  const messages = new Counter({
    name: 'campanile_device_messages_total',
    help: 'Messages of devices that were stored',
    labelNames: ['kind'],
    registers,
  })
  const drops = new Counter({
    name: 'campanile_device_messages_dropped_total',
    help: 'Messages of devices that were not stored, by reason',
    labelNames: ['reason'],
    registers,
  })
  const leftOut = new Counter({
    name: 'campanile_device_values_left_out_total',
    help: 'Values under names of devices’ own that were not kept: of no kind that is, or more than there may be',
    registers,
  })
  const untaken = new Counter({
    name: 'campanile_device_events_untaken_total',
    help: 'Events of devices that were kept and not taken by the room they are for: wrong data, or the room failed',
    labelNames: ['reason'],
    registers,
  })
  const merged = new Counter({
    name: 'campanile_device_points_coalesced_total',
    help: 'Points of history that were merged with a neighbour because more came in than could be written',
    registers,
  })
  const queue = new Gauge({
    name: 'campanile_device_messages_waiting',
    help: 'Messages of devices that wait to be stored',
    registers,
  })
  new Gauge({
    name: 'campanile_devices_connected',
    help: 'Devices connected to this gateway',
    registers,
    collect() {
      this.set(connected())
    },
  })
  let busy: { at: number; ms: number }[] = []
  new Gauge({
    name: 'campanile_device_headroom_ratio',
    help: 'Share of the last ten seconds in which more of devices could have been stored: 1 is idle, 0 is full',
    registers,
    collect() {
      const since = performance.now() - windowMs
      busy = busy.filter(({ at }) => at > since)
      this.set(Math.max(0, 1 - busy.reduce((sum, { ms }) => sum + ms, 0) / (windowMs * laneCount)))
    },
  })
  const waiting = new Gauge({
    name: 'campanile_device_storage_waiting',
    help: '1 while messages of devices wait for the database, by reason',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of ['diskFull', 'unavailable']) waiting.set({ reason }, 0)
  return {
    leftOut: (count: number) => leftOut.inc(count),
    untaken: (reason: string) => untaken.inc({ reason }),
    /** Why nothing can be stored at the moment; undefined while it can. */
    waits: (reason: 'diskFull' | 'unavailable' | undefined) => {
      for (const each of ['diskFull', 'unavailable']) waiting.set({ reason: each }, each === reason ? 1 : 0)
    },
    received: (kind: string, count: number) => messages.inc({ kind }, count),
    dropped: (reason: string) => drops.inc({ reason }),
    coalesced: (count: number) => merged.inc(count),
    stored: (ms: number, waiting: number) => {
      const at = performance.now()
      busy.push({ at, ms })
      if (busy.length > 5_000) busy = busy.filter((each) => each.at > at - windowMs)
      queue.set(waiting)
    },
  }
}

export type DeviceMeters = ReturnType<typeof createDeviceMeters>
