import { defineRoom } from '../../room.ts'
import { identity } from '../identity/index.ts'
import { organisation } from '../organisation/index.ts'
import { system } from '../system/index.ts'
import { countActivity } from './activity.ts'
import { forgetCounters } from './app-traffic.store.ts'
import { mountDevices } from './device.routes.ts'
import { deviceTransferred } from './device.topics.ts'
import { needsOfDevices } from './problems.ts'
import { warnOfTraffic } from './traffic-alarm.ts'

export { periods } from './activity.ts'
export { countAppTraffic } from './app-traffic.store.ts'
export {
  enterprisesOf,
  findBySns,
  findDeviceTypes,
  findNotBound,
  findOutOfKiosk,
  findStranger,
  type Known,
  knownColumns,
  markKiosk,
  markLocked,
  markUnbinding,
  removeApp,
  replaceApps,
  revokeCredentials,
  setAppEnabled,
  settleUnbinding,
} from './device.store.ts'
export { deviceTable } from './device.table.ts'
export { deviceTransferred } from './device.topics.ts'
export { enrolDevice, findForeign, findJoined, hasCredential, lockSerials } from './enrolment.ts'
export type { DeviceExtension } from './extension.ts'
export { createForeignSerials, type ForeignSerials } from './foreign-serials.ts'
export { readFilter } from './group-filter.ts'
export { appendEvents, writeHellos, writeStates } from './ingest.store.ts'
export { type Latest, merge } from './latest.ts'
export type { Devices } from './link.ts'
export type { DeviceReply } from './plan.ts'
export { appendPresence, writePresence } from './presence.store.ts'
export { schoolAbove } from './school-above.ts'
export { serialRows } from './serial-file.ts'
export { pointOf } from './telemetry/codec.ts'
export { kept, packPoints } from './telemetry/packing.ts'
export { prepare } from './telemetry/telemetry.store.ts'

const minuteMs = 60_000

/** The registry of devices, what they say, and the way to them. */
export const device = defineRoom({
  word: 'device',
  after: [organisation, identity, system],
  tables: [
    'device',
    'device_state',
    'device_app',
    'device_event',
    'device_group',
    'device_activity',
    'presence_log',
    'presence_log_default',
    'refused_connection',
    'telemetry_raw',
    'telemetry_raw_default',
    'telemetry_hour',
    'telemetry_hour_default',
    'telemetry_rollup',
    'own_name',
    'own_point',
    'app_counter',
    'app_traffic',
    'app_traffic_default',
  ],
  jobs: [
    { name: 'counting active devices', everyMs: minuteMs, run: ({ db }) => countActivity(db) },
    {
      name: 'warning of used-up traffic',
      everyMs: 5 * minuteMs,
      run: (services) => warnOfTraffic(services, new Date()),
    },
    { name: 'forgetting old counters of apps', everyMs: 360 * minuteMs, run: ({ db }) => forgetCounters(db) },
  ],
  needs: needsOfDevices,
  emits: [deviceTransferred],
  offers: [
    'send',
    'taken',
    'onEvent',
    'onReply',
    'concealBy',
    'onConnected',
    'onShown',
    'refused',
    'storageTrouble',
    'gatewayHealth',
    'notServedSince',
    'port',
    'gatewayPid',
    'start',
    'stop',
    'extend',
    'onLeaving',
    'whileBusy',
  ],
  mount: mountDevices,
})
