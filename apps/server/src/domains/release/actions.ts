import {
  AppError,
  commonErrors,
  type ErrorSpec,
  type ReleaseKind,
  type ReleaseKindSpec,
  releaseDeviceMachine,
  releaseMachine,
} from '@campanile/contract'
import { sql } from 'kysely'
import { covers } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { findRow } from '../../kit/rows.ts'
import { inScope } from '../../kit/scope.ts'
import { source, type Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Signals } from '../../platform/signals.ts'
import type { Commands } from '../command/index.ts'
import { findBySns } from '../device/index.ts'
import type { Kinds } from './kinds.ts'
import { releaseChannel } from './live.ts'
import { scopeOf } from './order.ts'
import type { Releases } from './release.service.ts'
import {
  countWaves,
  findDevicesIn,
  findRunning,
  type HeldDevice,
  keepFigures,
  lockRelease,
  moveDevices,
  type Step,
  type StoredRelease,
  setState,
  writeSteps,
} from './release.store.ts'
import { releaseTable } from './release.table.ts'

interface Deps {
  readonly kinds: Kinds
  readonly command: Pick<Commands, 'withdraw'>
  readonly signals: Pick<Signals, 'send'>
  readonly releases: Releases
}
type PermOf = keyof ReleaseKindSpec['perms']
type OfOne = Call<{ id: number }>
type OfRows = Call<{ ids: number[] }>
type OfDevices = Call<{ id: number; sns: string[] }>

const asStep = (what: Step['what'], { deviceId, sn, departmentId, wave }: HeldDevice, by: number): Step => ({
  what,
  device: { id: deviceId, sn, departmentId },
  wave,
  by,
})

/** A second release of the kind was faster by the length of a transaction. */
const isTaken = (error: unknown) =>
  (error as { code?: string; constraint?: string } | null)?.constraint === 'release_device_open'

/** What people do with a release. Seen through the list its caller came from; the permission of its kind is asked for besides. */
export const createActions = ({ kinds, command, signals, releases }: Deps) => {
  const changedMeanwhile = ({ number }: StoredRelease) => new AppError(commonErrors.changedMeanwhile, { names: number })

  /** It is held, so what it stands at is what it stood at when it was read. */
  const mustBe = (release: StoredRelease, event: 'pause' | 'resume' | 'stop') => {
    if (!releaseMachine.can(release.state, event)) throw changedMeanwhile(release)
  }

  /** Held until the transaction ends, so that the engine takes no step meanwhile. */
  const hold = async (list: Table, { db, scope, actor }: OfOne, id: number, perm: PermOf): Promise<StoredRelease> => {
    await findRow(db, list, scope, id)
    const release = await lockRelease(db, id)
    if (!release) throw new AppError(commonErrors.resourceNotFound, { id })
    const { perms } = kinds.spec(release.kind)
    if (!covers(scopeOf(actor, perms[perm]), release.path))
      throw new AppError(commonErrors.noPermission, { permission: perms[perm] })
    return release
  }

  /** Its figures are true when the answer is read, and whoever watches it hears of it. */
  const settled = async ({ db, note }: OfOne, release: StoredRelease, description = '') => {
    await keepFigures(db, release.id, await countWaves(db, release.id))
    await signals.send(db, releaseChannel, String(release.id))
    note({ description: [`${release.itemName} #${release.number}`, description].filter(Boolean).join(': ') })
  }

  const pause = (list: Table) => async (call: OfOne) => {
    const { db, actor, input } = call
    const release = await hold(list, call, input.id, 'release')
    mustBe(release, 'pause')
    await setState(db, release.id, 'paused', { reason: 'byPerson' })
    await writeSteps(db, release, [{ what: 'paused', wave: release.wave || undefined, by: actor.id }])
    await settled(call, release)
    return {}
  }

  /** What has failed until now has been seen by whoever goes on: neither it nor the gates of this wave stop it again. */
  const resume = (list: Table) => async (call: OfOne) => {
    const { db, actor, input } = call
    const release = await hold(list, call, input.id, 'release')
    mustBe(release, 'resume')
    await sql`update release r set waived = state_reason in ('tooFewSucceeded', 'notHealthy') is true,
        forgiven = (select count(*) from release_device v where v.release_id = r.id and v.wave = r.wave and v.state = 'failed')
      where r.id = ${release.id}`.execute(db)
    await setState(db, release.id, 'running')
    await writeSteps(db, release, [{ what: 'resumed', wave: release.wave || undefined, by: actor.id }])
    await settled(call, release)
    return {}
  }

  /** Commands are given up before the rows of their devices are touched: what devices say takes the same order. */
  const cancel = async (
    db: Db,
    release: StoredRelease,
    event: 'stop' | 'cancel',
    devices: readonly HeldDevice[],
    by: number,
  ) => {
    await command.withdraw(
      db,
      devices.flatMap(({ commandId }) => commandId ?? []),
    )
    const moved = await moveDevices(db, event, devices)
    const cancelled = devices.filter(({ id }) => moved.has(id))
    await writeSteps(
      db,
      release,
      cancelled.map((device) => asStep('cancelled', device, by)),
    )
    return cancelled
  }

  const stopNow = async ({ db, actor }: OfOne, release: StoredRelease) => {
    mustBe(release, 'stop')
    await setState(db, release.id, 'stopping')
    await sql`update release set stopped = true where id = ${release.id}`.execute(db)
    await writeSteps(db, release, [{ what: 'stopped', by: actor.id }])
    const devices = await findDevicesIn(db, release.id, { states: releaseDeviceMachine.from('stop') })
    return cancel(db, release, 'stop', devices, actor.id)
  }
  const stop = (list: Table) => async (call: OfOne) => {
    const release = await hold(list, call, call.input.id, 'release')
    const cancelled = await stopNow(call, release)
    await settled(call, release)
    return { cancelled: cancelled.length }
  }

  const skipWave = (list: Table) => async (call: OfOne) => {
    const { db, actor, input } = call
    const release = await hold(list, call, input.id, 'release')
    const { wave, waveCount, state } = release
    if (state !== 'running' || wave === 0 || wave >= waveCount) throw changedMeanwhile(release)
    await sql`update release_wave set skipped = true where release_id = ${release.id} and wave = ${wave}`.execute(db)
    await sql`update release set look_time = now() where id = ${release.id}`.execute(db)
    await writeSteps(db, release, [{ what: 'waveSkipped', wave, by: actor.id }])
    await settled(call, release)
    return {}
  }

  const named = async (db: Db, release: StoredRelease, sns: readonly string[]) => {
    const devices = await findDevicesIn(db, release.id, { sns })
    const found = new Set(devices.map(({ sn }) => sn))
    const missing = sns.find((sn) => !found.has(sn))
    return { devices, missing }
  }
  /** All of them or none: the first that does not stand where the change begins is named. */
  const mustStand = (
    { devices, missing }: { readonly devices: readonly HeldDevice[]; readonly missing: string | undefined },
    event: 'cancel' | 'retry',
    error: ErrorSpec,
  ) => {
    const elsewhere = devices.find(({ state }) => !releaseDeviceMachine.can(state as 'failed', event))
    const sn = missing ?? elsewhere?.sn
    if (sn !== undefined) throw new AppError(error, { sn })
  }

  const cancelDevices = (list: Table) => async (call: OfDevices) => {
    const { db, actor, input } = call
    const release = await hold(list, call, input.id, 'cancel')
    const { notCancellable } = kinds.spec(release.kind).errors
    const found = await named(db, release, input.sns)
    mustStand(found, 'cancel', notCancellable)
    const cancelled = await cancel(db, release, 'cancel', found.devices, actor.id)
    const late = found.devices.find(({ id }) => !cancelled.some((each) => each.id === id))
    if (late) throw new AppError(notCancellable as ErrorSpec, { sn: late.sn })
    await settled(call, release, input.sns.join(', '))
    return { cancelled: cancelled.length }
  }

  const again = async (call: OfOne, release: StoredRelease, devices: readonly HeldDevice[]) => {
    const { db, actor } = call
    const { errors } = kinds.spec(release.kind)
    if (release.state === 'stopping') throw changedMeanwhile(release)
    const busy = await findRunning(
      db,
      release.kind,
      devices.flatMap(({ deviceId }) => deviceId ?? []),
    )
    const taken = devices.find(({ deviceId }) => deviceId !== null && busy.has(deviceId))
    if (taken) throw new AppError(errors.deviceRunning as ErrorSpec, { sn: taken.sn })
    const now = new Date()
    const moved = await moveDevices(
      db,
      'retry',
      devices.filter(({ deviceId }) => deviceId !== null).map(({ id }) => ({ id, due: now })),
    ).catch((error) => {
      throw isTaken(error) ? new AppError(errors.deviceRunning as ErrorSpec, { sn: devices[0]?.sn ?? '' }) : error
    })
    const retried = devices.filter(({ id }) => moved.has(id))
    if (retried.length === 0) throw new AppError(errors.notRetryable as ErrorSpec, { sn: devices[0]?.sn ?? '' })
    await writeSteps(
      db,
      release,
      retried.map((device) => asStep('retried', device, actor.id)),
    )
    if (releaseMachine.can(release.state, 'reopen')) {
      await setState(db, release.id, 'running')
      await writeSteps(db, release, [{ what: 'reopened', by: actor.id }])
    } else await sql`update release set look_time = now() where id = ${release.id}`.execute(db)
    await settled(call, release, retried.map(({ sn }) => sn).join(', '))
    return { retried: retried.length }
  }
  const retryFailed = (list: Table) => async (call: OfOne) => {
    const release = await hold(list, call, call.input.id, 'retry')
    const devices = await findDevicesIn(call.db, release.id, { states: ['failed'] })
    if (devices.length === 0) throw changedMeanwhile(release)
    return again(call, release, devices)
  }
  const retryDevices = (list: Table) => async (call: OfDevices) => {
    const release = await hold(list, call, call.input.id, 'retry')
    const found = await named(call.db, release, call.input.sns)
    mustStand(found, 'retry', kinds.spec(release.kind).errors.notRetryable)
    return again(call, release, found.devices)
  }

  /** Rows of a list of devices, whichever releases they belong to. */
  const ofRows = async (
    list: Table,
    { db, scope, input }: OfRows,
    once: (id: number, sns: string[]) => Promise<number>,
  ) => {
    const { rows } = await sql<{
      id: number
      sns: string[]
    }>`select t.release_id as id, array_agg(t.sn order by t.id) as sns
      from ${source(list)} where t.id = any(${input.ids}) and ${inScope(list, scope)}
      group by 1 order by 1`.execute(db)
    const found = rows.reduce((all, { sns }) => all + sns.length, 0)
    if (found < new Set(input.ids).size) throw new AppError(commonErrors.resourceNotFound)
    let done = 0
    for (const { id, sns } of rows) done += await once(id, sns)
    return done
  }
  const cancelRows = (list: Table) => async (call: OfRows) => ({
    cancelled: await ofRows(
      list,
      call,
      async (id, sns) => (await cancelDevices(releaseTable)({ ...call, input: { id, sns } })).cancelled,
    ),
  })
  const retryRows = (list: Table) => async (call: OfRows) => ({
    retried: await ofRows(
      list,
      call,
      async (id, sns) => (await retryDevices(releaseTable)({ ...call, input: { id, sns } })).retried,
    ),
  })

  /** Whoever has it is told the opposite, each when it comes; whoever is still at it is not, and shows so in the old one. */
  const rollBack = (list: Table) => async (call: OfOne) => {
    const { db, actor, input } = call
    const release = await hold(list, call, input.id, 'release')
    const spec = kinds.spec(release.kind)
    const undoing = spec.undone?.[release.action]
    if (undoing === undefined) throw changedMeanwhile(release)
    if (releaseMachine.can(release.state, 'stop')) await stopNow(call, release)
    const reached = await findDevicesIn(db, release.id, { states: ['succeeded'] })
    const scope = scopeOf(actor, spec.perms.release)
    const rules = kinds.of(release.kind)
    const item = await rules.find(db, scope, release.itemId)
    if (!item) throw new AppError(spec.errors.notFound)
    const devices = await findBySns(
      db,
      scope,
      reached.flatMap(({ deviceId, sn }) => (deviceId === null ? [] : [sn])),
    )
    if (devices.length === 0) throw new AppError(spec.errors.noneSelected)
    const way = {
      action: undoing,
      installMode: release.installMode,
      options: { ...release.options, waves: [{ percent: 100 }] },
      given: release.given,
    }
    const order = { kind: release.kind as ReleaseKind, spec, rules, item, way, mode: 'offline' as const, scope }
    const made = await releases.make(db, order, {
      departmentId: release.departmentId,
      devices,
      times: new Map(),
      departments: [],
      description: null,
      creatorId: actor.id,
      refused: 0,
      undoes: release.id,
    })
    const slow = made.slow[0]
    if (slow !== undefined) throw new AppError(spec.errors.deviceRunning as ErrorSpec, { sn: slow })
    await writeSteps(db, release, [{ what: 'rolledBack', by: actor.id, detail: `#${made.number}` }])
    await settled(call, release, `#${made.number}`)
    return { id: made.id }
  }

  return { pause, resume, stop, skipWave, cancelDevices, retryFailed, retryDevices, rollBack, cancelRows, retryRows }
}
