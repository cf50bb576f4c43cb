import {
  lastingFaults,
  type PauseReason,
  type ReleaseMode,
  type ReleaseOptions,
  type ReleaseState,
  releaseRetriesMax,
  stateMinutesMax,
  type UpdateFault,
} from '@campanile/contract'

/** One wave as it stands. */
export interface WaveStanding {
  readonly wave: number
  readonly size: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  /** Not ended, told or not. */
  readonly open: number
  /** Of them, told and neither ended nor waiting for a retry. */
  readonly underWay: number
  /** Can be told now: never told before, or its retry is due. */
  readonly ready: number
  /** Told, and waited for longer than its state may last. */
  readonly overdue: number
  /** When the next of its devices can be told or is overdue. */
  readonly nextTime: Date | null
  readonly bakeMinutes: number
  readonly skipped: boolean
  readonly endTime: Date | null
  readonly bakeUntil: Date | null
}

/** A release as it stands: all that is needed to say what comes next. */
export interface Standing {
  readonly state: ReleaseState
  readonly mode: ReleaseMode
  readonly beginTime: Date | null
  /** Nobody is told otherwise: all there is to do is to write it down. */
  readonly pushed: boolean
  readonly options: ReleaseOptions
  /** The wave that has begun last; 0: none. */
  readonly wave: number
  readonly waves: readonly WaveStanding[]
  /** What had failed of this wave when a person let it go on. */
  readonly forgiven: number
  /** A person has passed the gates of this wave. */
  readonly waived: boolean
  /** Of those of this wave that succeeded, how many are not well now; looked up when it is asked for. */
  readonly unhealthy?: number
}

export type Because = Readonly<Record<string, number>>

/** What comes next. One step is taken, and the release looked at anew. */
export type Decision =
  | { readonly next: 'begin' | 'timeOut' | 'tell' | 'checkHealth' | 'end' }
  | { readonly next: 'beginWave'; readonly wave: number }
  | { readonly next: 'endWave'; readonly wave: number; readonly bakeUntil: Date }
  | { readonly next: 'pause'; readonly reason: PauseReason; readonly because: Because }
  | { readonly next: 'wait'; readonly until: Date | null }

const minuteMs = 60_000
const sum = (waves: readonly WaveStanding[], of: 'open' | 'underWay' | 'ready' | 'overdue') =>
  waves.reduce((all, each) => all + each[of], 0)
const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce<Date | null>((first, time) => (time && (!first || time < first) ? time : first), null)

/** More of the wave have failed than may; what a person has forgiven counts for nothing. */
const tooManyFailed = ({ options, forgiven }: Standing, { failed, size }: WaveStanding): Because | undefined => {
  const { failPercent, failCount } = options
  const counted = failed - Math.min(forgiven, failed)
  if (counted === 0) return undefined
  if (failCount !== undefined && counted >= failCount) return { failed: counted, size, limit: failCount }
  if (failPercent !== undefined && counted * 100 > failPercent * size)
    return { failed: counted, size, percent: failPercent }
  return undefined
}

const enoughSucceeded = ({ options }: Standing, { succeeded, size, cancelled }: WaveStanding) =>
  succeeded * 100 >= (options.successPercent ?? 0) * (size - cancelled)

/** As many of a wave have succeeded, at least, before it is gone on without those that are away. */
const withoutAwayPercent = 50

/**
 * Nobody of the wave has to be waited for. Where devices come when they come, those that are away hold up nobody once
 * enough of the others have succeeded: half of them, or as many as are needed anyway.
 */
const isThrough = ({ options, mode }: Standing, wave: WaveStanding): boolean => {
  if (wave.open === 0 || wave.skipped) return true
  if (mode !== 'offline' || wave.underWay < wave.open) return false
  const needed = Math.max(options.successPercent ?? 0, withoutAwayPercent)
  return wave.succeeded > 0 && wave.succeeded * 100 >= needed * (wave.size - wave.cancelled)
}

const wantsHealth = ({ options: { health } }: Standing) =>
  Boolean(health?.online || health?.heartbeat || health?.noCrash)

/** A device that was changed may have to start anew before it is there again. */
const comingBackMinutes = 5

/** The gates between a wave that is through and the next one. */
const passGates = (standing: Standing, wave: WaveStanding, now: Date): Decision => {
  const { options, waived, unhealthy } = standing
  const passed = waived || wave.skipped
  if (!passed && !enoughSucceeded(standing, wave))
    return {
      next: 'pause',
      reason: 'tooFewSucceeded',
      because: { succeeded: wave.succeeded, size: wave.size - wave.cancelled, percent: options.successPercent ?? 0 },
    }
  if (!wave.skipped && wave.bakeUntil && now < wave.bakeUntil) return { next: 'wait', until: wave.bakeUntil }
  if (!passed && wave.succeeded > 0 && wantsHealth(standing)) {
    if (unhealthy === undefined) return { next: 'checkHealth' }
    if (unhealthy * 100 > (options.failPercent ?? 0) * wave.size) {
      const until = new Date((wave.endTime ?? now).getTime() + comingBackMinutes * minuteMs)
      if (now < until) return { next: 'wait', until }
      return { next: 'pause', reason: 'notHealthy', because: { unhealthy, size: wave.size } }
    }
  }
  return { next: 'beginWave', wave: wave.wave + 1 }
}

const goOn = (standing: Standing, now: Date): Decision => {
  const { waves, wave: at, beginTime } = standing
  const begun = waves.filter(({ wave }) => wave <= at)
  const wave = waves.find((each) => each.wave === at)
  if (sum(begun, 'overdue') > 0) return { next: 'timeOut' }
  if (!wave) return beginTime && now < beginTime ? { next: 'wait', until: beginTime } : { next: 'beginWave', wave: 1 }
  if (!standing.pushed) return { next: 'end' }
  const isLast = at === waves.length
  const because = tooManyFailed(standing, wave)
  // At the very end there is nobody left whom it could be kept from.
  if (because && !(isLast && sum(waves, 'open') === 0)) return { next: 'pause', reason: 'tooManyFailed', because }
  if (sum(begun, 'ready') > 0) return { next: 'tell' }
  const until = earliest(begun.map(({ nextTime }) => nextTime))
  if (!isThrough(standing, wave)) return { next: 'wait', until }
  if (!wave.endTime) {
    const bakes = isLast || wave.skipped ? 0 : wave.bakeMinutes
    return { next: 'endWave', wave: at, bakeUntil: new Date(now.getTime() + bakes * minuteMs) }
  }
  if (!isLast) {
    const decision = passGates(standing, wave, now)
    return decision.next === 'wait' ? { next: 'wait', until: earliest([decision.until, until]) } : decision
  }
  return sum(waves, 'open') === 0 ? { next: 'end' } : { next: 'wait', until }
}

/** What a release does next. Nothing else decides it: the engine does what it is told here, one step at a time. */
export const decide = (standing: Standing, now: Date): Decision => {
  const { state, waves, wave, beginTime } = standing
  const begun = waves.filter((each) => each.wave <= wave)
  const until = earliest(begun.map(({ nextTime }) => nextTime))
  switch (state) {
    case 'waiting':
      return beginTime && now < beginTime ? { next: 'wait', until: beginTime } : { next: 'begin' }
    case 'running':
      return goOn(standing, now)
    case 'paused':
    case 'stopping':
      if (sum(begun, 'overdue') > 0) return { next: 'timeOut' }
      // Nothing is left that could be gone on with.
      return sum(waves, 'open') === 0 ? { next: 'end' } : { next: 'wait', until }
    case 'ended':
      return { next: 'wait', until: null }
  }
}

/** Each wait is four times as long as the one before: a minute, four, a quarter of an hour, an hour, four hours. */
export const backOffMinutes = (attempt: number): number =>
  4 ** Math.min(Math.max(attempt, 1) - 1, releaseRetriesMax - 1)

/** What becomes of a device on which it failed: it is tried again by itself, or that was that. */
export const afterFailure = (
  failure: { readonly fault: UpdateFault; readonly attempt: number; readonly state: ReleaseState },
  { retries = 0 }: ReleaseOptions,
  now: Date,
): { readonly event: 'fail' } | { readonly event: 'retryLater'; readonly due: Date } => {
  const { fault, attempt, state } = failure
  // Whoever was too late for its window comes to the next one, however often.
  if (fault === 'windowClosed' && state !== 'stopping') return { event: 'retryLater', due: now }
  if (state === 'stopping' || attempt > retries || lastingFaults.includes(fault)) return { event: 'fail' }
  return { event: 'retryLater', due: new Date(now.getTime() + backOffMinutes(attempt) * minuteMs) }
}

const defaults = { published: 60, downloading: 60, upgrading: 60 } as const

/** How long a device may be in a state. One that is told when it comes may take as long as a command waits. */
export const stateMinutes = (
  { timeoutMinutes = {} }: ReleaseOptions,
  mode: ReleaseMode,
  state: keyof typeof defaults,
): number =>
  state === 'published' && mode === 'offline' ? stateMinutesMax : (timeoutMinutes[state] ?? defaults[state])

/** How long the command is worth sending: all states together, and no longer than any command waits. */
export const commandMinutes = (options: ReleaseOptions, mode: ReleaseMode): number =>
  Math.min(
    stateMinutesMax,
    stateMinutes(options, mode, 'published') +
      stateMinutes(options, mode, 'downloading') +
      stateMinutes(options, mode, 'upgrading'),
  )
