import {
  createRelease,
  failedNamed,
  previewRelease,
  releaseDetail,
  releaseOptions,
  runReleaseBatch,
  type waveStates,
} from '@campanile/contract'
import { byDefault, mount } from '../../kit/mount.ts'
import { findRow } from '../../kit/rows.ts'
import type { Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import type { command } from '../command/index.ts'
import type { device } from '../device/index.ts'
import { createActions } from './actions.ts'
import { createEngine } from './engine.ts'
import { createKinds } from './kinds.ts'
import { mountReleaseLive, releaseChannel } from './live.ts'
import { createNews } from './news.ts'
import { createOrders } from './order.ts'
import { createPreview } from './preview.ts'
import { createReleases } from './release.service.ts'
import {
  type CountedWave,
  countWaves,
  failLeaving,
  findPace,
  findReasons,
  findRelease,
  type StoredRelease,
} from './release.store.ts'
import { devicesOfKind, releaseDeviceTable, releaseStepTable, releaseTable, tableOfKind } from './release.table.ts'
import { statisticTableOf } from './statistics.table.ts'

type Door<R extends { mount: (...given: never[]) => unknown }> = ReturnType<R['mount']>
interface Doors {
  readonly device: Door<typeof device>
  readonly command: Door<typeof command>
}

const stateOf = (release: StoredRelease, wave: CountedWave): (typeof waveStates)[number] => {
  if (wave.wave > release.wave) return ['stopping', 'ended'].includes(release.state) ? 'stopped' : 'waiting'
  if (wave.wave < release.wave || release.state === 'ended') return 'done'
  if (release.state === 'paused') return 'paused'
  if (release.state === 'stopping') return 'stopped'
  if (wave.endTime === null) return 'running'
  return wave.bakeUntil && wave.bakeUntil > new Date() ? 'baking' : 'done'
}
const told = (release: StoredRelease) => (wave: CountedWave) => ({
  wave: wave.wave,
  state: stateOf(release, wave),
  devices: wave.devices,
  percent: wave.percent,
  size: wave.size,
  told: wave.told,
  open: wave.open,
  succeeded: wave.succeeded,
  failed: wave.failed,
  cancelled: wave.cancelled,
  bakeMinutes: wave.bakeMinutes,
  beginTime: wave.beginTime?.toISOString() ?? null,
  endTime: wave.endTime?.toISOString() ?? null,
  bakeUntil: wave.bakeUntil?.toISOString() ?? null,
})

/** Rollouts of whatever rooms bring. */
export const mountReleases = (services: Services, { device: link, command }: Doors) => {
  const { app, kit, db, signals, notify, log, config } = services
  const kinds = createKinds()
  const orders = createOrders({ kinds, command })
  const releases = createReleases({ orders, signals })
  const actions = createActions({ kinds, command, signals, releases })

  kit.guarded(previewRelease, 'release', createPreview(orders))
  kit.guarded(createRelease, 'release', (call) => releases.create(call))
  kit.guarded(runReleaseBatch, 'release', (call) => releases.create(call))
  kit.guarded(releaseDetail, 'release', async ({ db: tx, scope, input }) => {
    const row = await findRow(tx, releaseTable, scope, input.id)
    const release = (await findRelease(tx, input.id)) as StoredRelease
    return {
      row,
      options: releaseOptions.parse(release.options),
      given: { ...release.given },
      because: { ...release.because },
      undoable: kinds.spec(release.kind).undone?.[release.action] !== undefined,
      waves: (await countWaves(tx, input.id)).map(told(release)),
      reasons: await findReasons(tx, input.id, failedNamed),
      ...(await findPace(tx, input.id)),
    }
  })

  /** What can be done with the rows of a list of releases, of whichever kind. */
  const actionsOn = (list: Table) => ({
    pause: actions.pause(list),
    resume: actions.resume(list),
    stop: actions.stop(list),
    skipWave: actions.skipWave(list),
    cancelDevices: actions.cancelDevices(list),
    retryFailed: actions.retryFailed(list),
    retryDevices: actions.retryDevices(list),
    rollBack: actions.rollBack(list),
  })
  mount(kit, releaseTable, { list: byDefault, export: byDefault, actions: actionsOn(releaseTable) })
  mount(kit, releaseDeviceTable, { list: byDefault, export: byDefault })
  mount(kit, releaseStepTable, { list: byDefault })

  command.follow('release', createNews({ signals, kinds }))
  link.onLeaving(async (tx, leaving) => {
    for (const id of new Set(await failLeaving(tx, leaving))) await signals.send(tx, releaseChannel, String(id))
  })
  mountReleaseLive(services)

  // Work that nobody waits for is done where jobs are.
  if (config.roles.includes('worker')) {
    const engine = createEngine({ db: db as Db, signals, notify, log, kinds, command })
    signals.on(releaseChannel, (payload) => {
      if (payload) engine.wake(Number(payload))
    })
    app.addHook('onReady', async () => engine.start())
    app.addHook('onClose', () => engine.stop())
  }

  return {
    /** What a room has to say about the releases of its items. */
    bring: kinds.bring,
    /** Makes one as `createRelease` does, for a room with an address of its own, and a permission if it has one. */
    create: releases.create,
    /** For a history under a wire name of its kind: the rows, and what can be done with them. */
    tableOf: tableOfKind,
    actionsOn,
    /** The same for a list of devices, whichever releases they belong to. */
    devicesOf: devicesOfKind,
    deviceActionsOn: (list: Table) => ({ cancel: actions.cancelRows(list), retry: actions.retryRows(list) }),
    /** For what became of all that was released of a kind, counted. */
    statisticsOf: statisticTableOf,
  }
}
