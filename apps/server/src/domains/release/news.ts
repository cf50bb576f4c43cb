import {
  commandReasons,
  type ReleaseMode,
  type ReleaseOptions,
  type ReleaseState,
  readFault,
  type UpdateFault,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Signals } from '../../platform/signals.ts'
import type { CommandNews } from '../command/index.ts'
import { afterFailure, stateMinutes } from './decide.ts'
import type { HeardRelease, Kinds } from './kinds.ts'
import { releaseChannel } from './live.ts'
import {
  type Change,
  type HeldDevice,
  keepPercents,
  lockByCommands,
  moveDevices,
  type Step,
  writeSteps,
} from './release.store.ts'

/** What is asked of the release of a device when something of the device is heard. */
interface Heard extends HeardRelease {
  readonly id: number
  readonly departmentId: number
  readonly state: ReleaseState
  readonly mode: ReleaseMode
  readonly options: ReleaseOptions
}
const findHeard = async (db: Db, ids: readonly number[]): Promise<Map<number, Heard>> =>
  new Map(
    (
      await sql<Heard>`select id, department_id as "departmentId", state, mode, options, kind, action,
          item_id as "itemId", item_name as "itemName", item_version as "itemVersion"
        from release where id = any(${ids})`.execute(db)
    ).rows.map((row) => [row.id, row]),
  )

const minuteMs = 60_000
/** Longer than people read in a row; the device's own words may be cut. */
const detailMax = 256

/** Of which states a device was waited for in vain. */
const timeOuts: Readonly<Record<string, UpdateFault>> = {
  published: 'timeOutPublished',
  downloading: 'timeOutDownloading',
  upgrading: 'timeOutUpgrading',
}
export const timeOutOf = (state: string): UpdateFault => timeOuts[state] ?? 'timeOutPublished'

const faultOf = ({ what, reason }: CommandNews, device: HeldDevice, { options }: Heard) => {
  if (what === 'expired')
    return { fault: options.maintenance ? ('windowClosed' as const) : timeOutOf(device.state), detail: null }
  if (reason === commandReasons.tooLargeForDevice) return { fault: 'refused' as const, detail: reason }
  return readFault(reason)
}

type Release = Pick<Heard, 'id' | 'departmentId' | 'state' | 'options'>
interface Failure {
  readonly device: HeldDevice
  readonly fault: UpdateFault
  readonly detail: string | null
}
const stepOf = (what: Step['what'], device: HeldDevice, rest: Partial<Step> = {}): Step => ({
  what,
  device: { id: device.deviceId, sn: device.sn, departmentId: device.departmentId },
  from: device.state,
  wave: device.wave,
  ...rest,
})

/** Devices on which it failed: they are tried again after a while, or have failed. Answers the steps they took. */
export const settleFailures = async (
  tx: Db,
  release: Release,
  failures: readonly Failure[],
  now = new Date(),
): Promise<Step[]> => {
  const later: Change[] = []
  const over: Change[] = []
  const byId = new Map(failures.map((failure) => [failure.device.id, failure]))
  for (const { device, fault, detail } of failures) {
    const after = afterFailure({ fault, attempt: device.attempt, state: release.state }, release.options, now)
    const change = { id: device.id, reason: fault, detail: detail?.slice(0, detailMax) ?? null }
    if (after.event === 'fail') over.push(change)
    else later.push({ ...change, due: after.due })
  }
  const failed = await moveDevices(tx, 'fail', over)
  const planned = await moveDevices(tx, 'retryLater', later)
  const told = (ids: ReadonlySet<number>, what: Step['what']) =>
    [...ids].flatMap((id) => {
      const failure = byId.get(id)
      return failure ? [stepOf(what, failure.device, { reason: failure.fault, detail: failure.detail })] : []
    })
  const steps = [...told(failed, 'failed'), ...told(planned, 'retryPlanned')]
  await writeSteps(tx, release, steps)
  return steps
}

const versionIn = (result: CommandNews['result']) =>
  typeof result?.version === 'string' ? result.version.slice(0, 128) : null

/** What devices of one release are at. */
const settleUnderWay = async (
  tx: Db,
  release: Heard,
  told: readonly (readonly [HeldDevice, CommandNews])[],
  now: Date,
) => {
  const steps: Step[] = []
  for (const [step, event] of [
    ['downloading', 'download'],
    ['upgrading', 'upgrade'],
  ] as const) {
    const some = told.filter(([device, news]) => news.step === step && device.state !== step)
    const due = new Date(now.getTime() + stateMinutes(release.options, release.mode, step) * minuteMs)
    const moved = await moveDevices(
      tx,
      event,
      some.map(([{ id }, { percent }]) => ({ id, percent, due })),
    )
    steps.push(...some.flatMap(([device]) => (moved.has(device.id) ? [stepOf(step, device)] : [])))
  }
  await keepPercents(
    tx,
    told.flatMap(([{ id, state }, { step, percent }]) =>
      percent !== null && (step === null || step === state) ? [{ id, percent }] : [],
    ),
  )
  return steps
}

/** What devices say about the commands of releases, and what becomes of those that say nothing. */
export const createNews = ({
  signals,
  kinds,
}: {
  readonly signals: Pick<Signals, 'send'>
  readonly kinds: Pick<Kinds, 'hear'>
}) => {
  const settle = async (tx: Db, release: Heard, told: readonly (readonly [HeldDevice, CommandNews])[], now: Date) => {
    const of = (...kinds: CommandNews['what'][]) => told.filter(([, { what }]) => kinds.includes(what))
    const steps = await settleUnderWay(tx, release, of('underWay'), now)
    const done = of('done')
    const succeeded = await moveDevices(
      tx,
      'succeed',
      done.map(([{ id }, { result }]) => ({ id, percent: 100, newVersion: versionIn(result) ?? release.itemVersion })),
    )
    steps.push(...done.flatMap(([device]) => (succeeded.has(device.id) ? [stepOf('succeeded', device)] : [])))
    await writeSteps(tx, release, steps)
    const failures = of('failed', 'expired').map(([device, news]) => ({ device, ...faultOf(news, device, release) }))
    if (failures.length > 0) steps.push(...(await settleFailures(tx, release, failures, now)))
    await kinds.hear(tx, release, steps)
  }

  return async (tx: Db, news: readonly CommandNews[]): Promise<void> => {
    const byCommand = new Map(news.map((each) => [each.commandId, each]))
    const devices = await lockByCommands(tx, [...byCommand.keys()])
    const releases = await findHeard(tx, [...new Set(devices.map(({ releaseId }) => releaseId))])
    const now = new Date()
    for (const release of releases.values()) {
      const told = devices.flatMap((device) => {
        const each = device.commandId === null ? undefined : byCommand.get(device.commandId)
        return each && device.releaseId === release.id ? [[device, each] as const] : []
      })
      await settle(tx, release, told, now)
      await signals.send(tx, releaseChannel, String(release.id))
    }
  }
}
