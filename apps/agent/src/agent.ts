import { createHash } from 'node:crypto'
import { type CommandName, commandNames } from '@campanile/contract'
import type { CommandMessage } from '@campanile/contract/protocol'
import type { Backlog } from './backlog.ts'
import type { Clock } from './clock.ts'
import { type Context, isFarewell } from './commands/index.ts'
import { createConnection, keepaliveSeconds } from './connection.ts'
import { createDispatcher } from './dispatch.ts'
import type { Hardware } from './hardware/port.ts'
import type { Identity, IdentityStore } from './identity.ts'
import { type AskReleaseKey, baseOf, type Join, type Reach } from './join.ts'
import type { Entry, Journal } from './journal.ts'
import type { OpenLink } from './link/link.ts'
import { createReporter } from './reporter.ts'
import { type Timers, within } from './timers.ts'
import { UpdateFailed } from './update/fault.ts'
import { sendFile } from './upload.ts'

/** How long the first word waits for the server's time. */
const timeMs = 5_000
/** A clock that is not looked after is off by seconds a day. */
const timeAgainMs = 6 * 3_600_000

export interface AgentParts {
  readonly identity: Identity
  readonly identities: IdentityStore
  readonly hardware: Hardware
  readonly journal: Journal
  readonly backlog: Backlog
  readonly keepDays: number
  readonly clock: Clock
  readonly open: OpenLink
  readonly join: Join
  readonly reach: Reach
  readonly askReleaseKey: AskReleaseKey
  /** Whether to set the clock by the server's: a machine that is the server's own need not ask. */
  readonly askTime: boolean
  readonly timers: Timers
  readonly random: () => number
  readonly log: (line: string) => void
  readonly heartbeatSeconds: number
  /** The device was wiped or unbound: there is nothing left to run. */
  readonly forgotten?: () => void
}

export interface Agent {
  start(): Promise<void>
  stop(reason: string): Promise<void>
  /** Drops the connection as a bad network would, and comes back by itself. */
  interrupt(): void
  readonly connected: boolean
}

/** One device: connects, says who it is, reports what changed, does what it is told. */
export const createAgent = (parts: AgentParts): Agent => {
  const { hardware, journal, clock, timers, random, log } = parts
  let capabilities: CommandName[] | undefined
  let cancelTime = () => {}

  const dispatcher = createDispatcher({
    hardware,
    journal,
    log,
    now: clock.now,
    publish: (payload) => connection.publish('reply', payload),
    contextFor: (message) => contextFor(message),
    markOf: (message) => markOf(message),
    isPresent: (entry) => isPresent(entry),
    done: () => void reporter.look(),
  })

  /** A switch has come to its end at its address, a farewell when the credential of then is gone. */
  const markOf = ({ name, args }: CommandMessage): string | undefined => {
    if (name === 'switchServer' && typeof args.serverUrl === 'string') return baseOf(args.serverUrl)
    return isFarewell(name) ? fingerprint(connection.identity) : undefined
  }
  const isPresent = ({ name, mark }: Entry): boolean =>
    mark !== undefined && mark === (isFarewell(name) ? fingerprint(connection.identity) : connection.identity.serverUrl)

  const hello = async (): Promise<string> => {
    await within(timers, timeMs, askTime())
    if (!capabilities) {
      capabilities = []
      for (const name of commandNames) if (!(await hardware.obstacle(name))) capabilities.push(name)
    }
    // The machine's own time, right or wrong: the server tells people how far it is off.
    const own = { ts: Math.max(0, Math.round(timers.now())), keepalive: keepaliveSeconds }
    return JSON.stringify({ ...own, ...(await hardware.describe()), capabilities })
  }

  const connection = createConnection({
    ...parts,
    hello,
    received: (payload) => void dispatcher.receive(payload),
    opened: async () => {
      await dispatcher.redeliver()
      const farewell = dispatcher.unfinishedFarewell()
      if (farewell) return forget(farewell)
      await reporter.opened()
    },
    closed: () => reporter.closed(),
    fellBack: (text) => {
      const now = timers.now()
      const what = { type: 'serverFallback', level: 'major', text: text.slice(0, 1000) } as const
      return reporter.tell({ id: `serverFallback-${now}`, ts: now, ...what })
    },
  })

  const reporter = createReporter({
    hardware,
    backlog: parts.backlog,
    keepDays: parts.keepDays,
    clock,
    timers,
    random,
    log,
    heartbeatSeconds: parts.heartbeatSeconds,
    publish: connection.publish,
    isConnected: () => connection.connected,
  })

  /** Learns what time the server has, and once in a while again. Nothing depends on an answer. */
  const askTime = async (): Promise<void> => {
    if (!parts.askTime) return
    cancelTime()
    cancelTime = timers.after(timeAgainMs, () => void askTime())
    const found = await parts.reach(connection.identity.serverUrl).catch(() => undefined)
    if (found?.time === undefined) return
    const before = clock.ahead() ?? 0
    clock.learn(found.time)
    const ahead = clock.ahead() ?? 0
    if (Math.abs(ahead - before) > timeMs)
      log(
        `this machine's clock is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead' : 'behind'}: the server's time is used`,
      )
  }

  /** Kept from the first time on: whoever answers later in the server's name cannot give another. */
  const releaseKey = async (): Promise<string> => {
    const { releaseKey: known, serverUrl } = connection.identity
    if (known) return known
    const asked = await parts.askReleaseKey(serverUrl).catch((error) => {
      throw new UpdateFailed('keyMissing', error instanceof Error ? error.message : String(error))
    })
    await connection.noteKey(asked)
    return asked
  }

  const contextFor = (message: CommandMessage): Context => ({
    hardware,
    message,
    identity: connection.identity,
    reach: parts.reach,
    join: async (serverUrl, code) => {
      await connection.noteJoining({ serverUrl, code })
      return parts.join(serverUrl, { sn: connection.identity.sn, code, privateKey: connection.identity.privateKey })
    },
    send: async (making) => {
      if (!message.upload) throw new Error('the command names no address to upload to')
      const file = await making
      try {
        return await sendFile(connection.identity.serverUrl, message.upload, file)
      } finally {
        await file.discard()
      }
    },
    update: {
      id: message.id,
      serverUrl: connection.identity.serverUrl,
      expires: message.expires,
      now: clock.now,
      releaseKey,
      tell: (step, percent) => dispatcher.tell(message.id, step, percent),
    },
    setHeartbeat: reporter.setHeartbeat,
    tellAll: async () => {
      capabilities = undefined
      await connection.publish('hello', await hello())
      await reporter.anew()
    },
    move: connection.move,
    forget: () => forget(message.name),
  })

  const forget = async (farewell: string) => {
    await stop(farewell === 'unbind' ? 'unbound' : 'wiped')
    await parts.identities.forget()
    parts.forgotten?.()
  }

  const stop = async (reason: string): Promise<void> => {
    cancelTime()
    reporter.stop()
    await connection.stop(reason)
  }

  return {
    start: async () => {
      reporter.start()
      await hardware.recoverUpdates()
      await dispatcher.settle()
      await connection.start()
      // Whether anybody listens or not.
      if (!connection.connected) void reporter.look()
    },
    stop,
    interrupt: connection.interrupt,
    get connected() {
      return connection.connected
    },
  }
}

const fingerprint = ({ password }: Identity) => createHash('sha256').update(password).digest('hex').slice(0, 16)
