import { AppError, type PauseReason, releaseOptions } from '@campanile/contract'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/db.ts'
import type { Notify } from '../../platform/notify.ts'
import { seldom } from '../../platform/seldom.ts'
import type { Signals } from '../../platform/signals.ts'
import type { Commands } from '../command/index.ts'
import { findMaintenance } from '../organisation/index.ts'
import { type Because, commandMinutes, type Decision, decide, type Standing, stateMinutes } from './decide.ts'
import { isPushed, type Kinds, type ReleaseItem } from './kinds.ts'
import { releaseChannel } from './live.ts'
import { settleFailures, timeOutOf } from './news.ts'
import {
  beginWave,
  type CountedWave,
  closeTargets,
  countUnhealthy,
  countWaves,
  endWave,
  findDue,
  findOverdue,
  keepFigures,
  lockTellable,
  lookAgain,
  markTold,
  moveDevices,
  type Step,
  type StoredRelease,
  setState,
  type Tellable,
  takeRelease,
  writeSteps,
} from './release.store.ts'

const roundMs = 1_000
/** Something may have changed that nobody told of: a right, a window, a clock. */
const idleMs = 5_000
const troubleMs = 10_000
const batch = 1_000
const atOnce = 100
const minuteMs = 60_000
const complainEveryMs = 60_000

export interface EngineDeps {
  readonly db: Db
  readonly signals: Signals
  readonly notify: Notify
  readonly log: Logger
  readonly kinds: Pick<Kinds, 'of' | 'hear'>
  readonly command: Pick<Commands, 'issue' | 'withdraw'>
}

const endWord = (release: StoredRelease, all: boolean) => {
  if (!isPushed(release)) return 'releasePublished'
  return all ? 'releaseDone' : 'releaseFailed'
}

/**
 * Drives every release that has not ended: one look, one decision and one step in a transaction, over all servers. It
 * knows nothing that does not stand in the tables, so that whoever looks next goes on where the last one was ended.
 */
export const createEngine = ({ db, signals, notify, log, kinds, command }: EngineDeps) => {
  const complain = seldom(complainEveryMs, (err: unknown, times: number) =>
    log.warn({ err, times }, 'a release could not go on; it is tried again'),
  )

  const wayOf = ({ action, installMode, options, given }: StoredRelease) => ({ action, installMode, options, given })

  const pause = async (tx: Db, release: StoredRelease, reason: PauseReason, because: Because) => {
    await setState(tx, release.id, 'paused', { reason, because })
    const figures = Object.entries(because).map(([name, value]) => `${name} ${value}`)
    await writeSteps(tx, release, [
      { what: 'pausedByItself', wave: release.wave, reason, detail: figures.join(', ') || null },
    ])
    if (release.creatorId === null) return
    await notify.notify(tx, [release.creatorId], {
      type: 'task',
      word: 'releasePaused',
      data: { name: release.itemName, wave: release.wave, waves: release.waveCount },
      texts: { reason: `release.option.stateReason.${reason}` },
      link: `/release/detail/${release.id}`,
    })
  }

  const end = async (tx: Db, release: StoredRelease, waves: readonly CountedWave[]) => {
    await setState(tx, release.id, 'ended')
    await closeTargets(tx, release.id)
    await writeSteps(tx, release, [{ what: 'ended' }])
    const rules = kinds.of(release.kind)
    const item = await rules.find(tx, undefined, release.itemId)
    if (item) await rules.after?.(tx, item, 'ended', wayOf(release))
    if (release.creatorId === null) return
    const sum = (of: 'size' | 'succeeded' | 'failed' | 'cancelled') => waves.reduce((all, wave) => all + wave[of], 0)
    const [total, succeeded, failed, cancelled] = [sum('size'), sum('succeeded'), sum('failed'), sum('cancelled')]
    await notify.notify(tx, [release.creatorId], {
      type: 'task',
      word: endWord(release, succeeded === total),
      data: { name: release.itemName, total, succeeded, failed, cancelled },
      link: `/release/detail/${release.id}`,
    })
  }

  /** Whom the maintenance window lets be told now, and for how long; without one, everybody. */
  const openNow = async (tx: Db, { options, mode }: StoredRelease, ready: readonly Tellable[]) => {
    const minutes = commandMinutes(options, mode)
    if (!options.maintenance) return new Map([[minutes, [...ready]]])
    const now = new Date()
    const windows = await findMaintenance(
      tx,
      ready.map(({ departmentId }) => departmentId),
      now,
    )
    const groups = new Map<number, Tellable[]>()
    for (const each of ready) {
      const window = windows.get(each.departmentId)
      if (!window?.open) continue
      const left = Math.max(1, Math.min(minutes, Math.floor((window.closes.getTime() - now.getTime()) / minuteMs)))
      groups.set(left, [...(groups.get(left) ?? []), each])
    }
    return groups
  }

  interface Given {
    readonly id: number
    readonly deviceId: number
    readonly refusal: string | null
  }
  const giveCommands = async (
    tx: Db,
    release: StoredRelease,
    item: ReleaseItem,
    told: readonly Tellable[],
    minutes: number,
  ) => {
    const order = await kinds.of(release.kind).command(tx, item, wayOf(release))
    const made = await command.issue(
      { db: tx, departmentId: release.departmentId },
      {
        ...order,
        devices: { ids: told.flatMap(({ deviceId }) => deviceId ?? []) },
        origin: { kind: 'release', id: release.id },
        name: release.itemName.slice(0, 64),
        partly: true,
        minutes,
      },
    )
    const taskIds = (made.tasks ?? [made]).map(({ id }) => id)
    const { rows } =
      await sql<Given>`select id, device_id as "deviceId", case when state = 'refused' then reason end as refusal
      from command where task_id = any(${taskIds}) and device_id is not null`.execute(tx)
    return new Map(rows.map((row) => [row.deviceId, row]))
  }

  const asStep = (what: Step['what'], { deviceId, sn, departmentId, wave }: Tellable, reason?: string): Step => ({
    what,
    device: { id: deviceId, sn, departmentId },
    wave,
    ...(reason !== undefined && { reason }),
  })

  const fail = async (
    tx: Db,
    release: StoredRelease,
    devices: readonly Tellable[],
    reason: (device: Tellable) => string,
  ) => {
    const moved = await moveDevices(
      tx,
      'fail',
      devices.map((device) => ({ id: device.id, reason: reason(device) })),
    )
    await writeSteps(
      tx,
      release,
      devices.filter(({ id }) => moved.has(id)).map((device) => asStep('failed', device, reason(device))),
    )
  }

  /** Tells the next batch; answers how many rows it changed. */
  const tell = async (tx: Db, release: StoredRelease): Promise<number> => {
    const item = await kinds.of(release.kind).find(tx, undefined, release.itemId)
    if (!item) {
      await pause(tx, release, 'itemGone', {})
      return 1
    }
    const ready = await lockTellable(tx, release, batch)
    const gone = ready.filter(({ here, deviceId }) => !here || deviceId === null)
    await fail(tx, release, gone, () => 'deviceRemoved')
    let changed = gone.length
    const groups = await openNow(
      tx,
      release,
      ready.filter(({ here, deviceId }) => here && deviceId !== null),
    )
    for (const [minutes, some] of groups) {
      if (some.length === 0) continue
      const given = await giveCommands(tx, release, item, some, minutes)
      const of = ({ deviceId }: Tellable) => given.get(deviceId ?? 0)
      const refused = some.filter((each) => of(each)?.refusal != null)
      await fail(tx, release, refused, (each) => of(each)?.refusal ?? 'refused')
      const told = some.flatMap((each) => {
        const found = of(each)
        return found && found.refusal === null ? [{ ...each, commandId: found.id }] : []
      })
      await markTold(tx, told, stateMinutes(release.options, release.mode, 'published'))
      await writeSteps(
        tx,
        release,
        told.map((each) => asStep(each.retried ? 'retried' : 'told', each)),
      )
      changed += some.length
    }
    return changed
  }

  /** Their commands are given up before their rows are touched: what devices say takes the same order. */
  const timeOut = async (tx: Db, release: StoredRelease) => {
    const overdue = await findOverdue(tx, release.id, batch)
    await command.withdraw(
      tx,
      overdue.flatMap(({ commandId }) => commandId ?? []),
    )
    const steps = await settleFailures(
      tx,
      release,
      overdue.map((device) => ({ device, fault: timeOutOf(device.state), detail: null })),
    )
    await kinds.hear(tx, release, steps)
  }

  /** Does what was decided; answers whether there may be more to do at once. */
  const act = async (
    tx: Db,
    release: StoredRelease,
    waves: readonly CountedWave[],
    decision: Decision,
  ): Promise<boolean> => {
    const { id } = release
    switch (decision.next) {
      case 'begin':
        await setState(tx, id, 'running')
        await sql`update release set begin_time = coalesce(begin_time, now()) where id = ${id}`.execute(tx)
        await writeSteps(tx, release, [{ what: 'begun' }])
        return true
      case 'beginWave':
        await beginWave(tx, id, decision.wave)
        await writeSteps(tx, release, [{ what: 'waveBegun', wave: decision.wave }])
        return true
      case 'endWave': {
        const { wave, bakeUntil } = decision
        await endWave(tx, id, wave, bakeUntil)
        const steps: Step[] = [{ what: 'waveEnded', wave }]
        if (bakeUntil > new Date()) steps.push({ what: 'baking', wave, detail: bakeUntil.toISOString() })
        await writeSteps(tx, release, steps)
        return true
      }
      case 'tell':
        return (await tell(tx, release)) > 0
      case 'timeOut':
        await timeOut(tx, release)
        return true
      case 'pause':
        await pause(tx, release, decision.reason, decision.because)
        return false
      case 'end':
        await end(tx, release, waves)
        return false
      case 'checkHealth':
      case 'wait':
        return false
    }
  }

  const standingOf = (release: StoredRelease, waves: readonly CountedWave[]): Standing => ({
    state: release.state,
    mode: release.mode,
    beginTime: release.beginTime === null ? null : new Date(release.beginTime),
    pushed: isPushed(release),
    options: releaseOptions.parse(release.options),
    wave: release.wave,
    waves,
    forgiven: release.forgiven,
    waived: release.waived,
  })

  /** One step of one release; answers whether the next can follow at once. */
  const step = (id: number): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const release = await takeRelease(tx, id)
      if (!release) return false
      const waves = await countWaves(tx, id)
      const changed = await keepFigures(tx, id, waves)
      const now = new Date()
      const standing = standingOf(release, waves)
      let decision = decide(standing, now)
      if (decision.next === 'checkHealth')
        decision = decide({ ...standing, unhealthy: await countUnhealthy(tx, release) }, now)
      const more = await act(tx, release, waves, decision)
      const idle = now.getTime() + idleMs
      const until = decision.next === 'wait' ? Math.min(decision.until?.getTime() ?? idle, idle) : idle
      await lookAgain(tx, id, more ? now : new Date(Math.max(until, now.getTime() + roundMs)))
      if (changed || decision.next !== 'wait') await signals.send(tx, releaseChannel, String(id))
      return more
    })

  let timer: NodeJS.Timeout | undefined
  let wanted = false
  let working: Promise<void> | undefined
  const woken = new Set<number>()

  const drive = async (id: number): Promise<boolean> => {
    try {
      return await step(id)
    } catch (err) {
      // Whatever keeps one from going on is not held against the others.
      if (!(err instanceof AppError)) complain(err)
      await lookAgain(db, id, new Date(Date.now() + troubleMs)).catch(complain)
      return false
    }
  }

  /** Each once in turn, as long as any has more to do: a large release does not hold up a small one. */
  const round = async () => {
    let due = [...new Set([...woken, ...(await findDue(db, atOnce))])]
    woken.clear()
    while (due.length > 0 && wanted) {
      const more: number[] = []
      for (const id of due) if (wanted && (await drive(id))) more.push(id)
      due = more
    }
  }
  const tick = () => {
    working ??= round()
      .catch(complain)
      .finally(() => {
        working = undefined
      })
  }

  return {
    /** Something of it was heard: it is looked at in the next round. */
    wake: (id: number) => {
      if (wanted) woken.add(id)
    },
    start: () => {
      wanted = true
      timer = setInterval(tick, roundMs)
      tick()
    },
    stop: async () => {
      wanted = false
      clearInterval(timer)
      await working
    },
  }
}
