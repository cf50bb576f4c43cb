import type { Logger } from 'pino'
import type { Probed } from './probe.ts'

const beatMs = 1_000
/** Beats without an answer, counted and not timed: a server that stood still itself has missed none. */
const missedBeforeUnready = 3
const missedBeforeEnd = 15
/** Beats between two looks at the devices' port. */
const beatsPerLook = 5
const failedBeforeUnready = 2
const failedBeforeEnd = 6

export interface Health {
  /** Devices are being served. */
  readonly up: boolean
  /** Since when it is as it is. */
  readonly since: Date
  readonly restarts: number
  readonly connected: number
  /** Sockets that have not said who they are. */
  readonly unknown: number
}

interface Watched {
  readonly log: Logger
  beat(number: number): void
  /** Connects as a device would. */
  look(): Promise<Probed>
  /** Ends the process, however it stands; what follows is the keeper's. */
  end(): void
}

/**
 * Believes the gateway only what it shows: that its process answers on its own line, and that its port answers as it would
 * a device. Says at once when either fails, and has the process replaced when it stays so.
 */
export const createWatchdog = ({ log, beat, look, end }: Watched) => {
  let timer: NodeJS.Timeout | undefined
  let isOpen = false
  let sent = 0
  let answered = 0
  let missed = 0
  let failed = 0
  let deaf = 0
  let hasAnswered = false
  let looking: Promise<void> | undefined
  let up = false
  let since = new Date()
  let restarts = 0
  let connected = 0
  let unknown = 0

  const tell = (now: boolean, why: string) => {
    if (now === up) return
    up = now
    since = new Date()
    if (now) log.info('devices are served')
    else log.error({ why }, 'devices are not served')
  }
  const judge = () => {
    if (!isOpen) tell(false, 'the gateway is not running')
    else if (missed >= missedBeforeUnready) tell(false, 'the gateway’s process does not answer')
    else if (failed >= failedBeforeUnready) tell(false, 'the devices’ port does not answer')
    else if (failed === 0 && missed === 0) tell(true, '')
  }
  const replace = (why: string) => {
    log.error({ why }, 'the gateway is ended and started again')
    missed = 0
    deaf = 0
    end()
  }

  const lookOnce = async () => {
    const found = await look()
    if (!isOpen) return
    failed = found === 'answered' ? 0 : failed + 1
    hasAnswered ||= found === 'answered'
    // Doors that are full close at once; starting anew would only cut off those that are in.
    deaf = found === 'refused' || found === 'silent' ? deaf + 1 : 0
    judge()
    // Where a machine cannot reach its own port at all, starting anew would change nothing.
    if (deaf >= failedBeforeEnd && hasAnswered) replace('the devices’ port does not answer')
  }
  const lookNow = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  const tick = () => {
    if (!isOpen) return judge()
    if (answered < sent) missed += 1
    judge()
    if (missed >= missedBeforeEnd) return replace('the gateway’s process does not answer')
    sent += 1
    beat(sent)
    if (sent % beatsPerLook === 0) void lookNow()
  }

  return {
    start: () => {
      timer ??= setInterval(tick, beatMs)
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
      isOpen = false
    },
    /** It says that its port is open; that is believed when the port has answered. */
    opened: (): Promise<void> => {
      isOpen = true
      answered = sent
      missed = 0
      failed = 1
      deaf = 0
      return lookNow()
    },
    alive: (number: number, holds: { connected: number; unknown: number }) => {
      answered = Math.max(answered, number)
      missed = 0
      connected = holds.connected
      unknown = holds.unknown
    },
    ended: () => {
      isOpen = false
      connected = 0
      unknown = 0
      restarts += 1
      judge()
    },
    health: (): Health => ({ up, since, restarts, connected, unknown }),
  }
}
