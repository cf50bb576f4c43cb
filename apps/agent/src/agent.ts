import { type CommandName, commandNames } from '@campanile/contract'
import {
  type CommandMessage,
  commandTopic,
  type DeviceEvent,
  type StateName,
  type StateValues,
  type UpKind,
  upTopic,
} from '@campanile/contract/protocol'
import type { Context } from './commands/index.ts'
import { createDispatcher } from './dispatch.ts'
import type { Hardware } from './hardware/port.ts'
import type { Identity, IdentityStore, Membership } from './identity.ts'
import type { Join } from './join.ts'
import type { Journal } from './journal.ts'
import { type Link, type LinkHandlers, type OpenLink, Refused } from './link/link.ts'
import { reconnectDelay } from './reconnect.ts'
import { type Timers, within } from './timers.ts'
import { sendFile } from './upload.ts'

const keepaliveSeconds = 60
/** Connected this long, a connection counts as good and the next one is tried soon. */
const goodMs = 30_000
/** Tries on a new server before the old one is taken back. */
const fallBackAfter = 6
const partingMs = 5_000

export interface AgentParts {
  readonly identity: Identity
  readonly identities: IdentityStore
  readonly hardware: Hardware
  readonly journal: Journal
  readonly open: OpenLink
  readonly join: Join
  readonly timers: Timers
  readonly random: () => number
  readonly log: (line: string) => void
  readonly heartbeatSeconds: number
  /** The device was wiped: there is nothing left to run. */
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
  const { hardware, journal, timers, random, log } = parts
  let { identity, heartbeatSeconds } = parts
  let link: Link | undefined
  let running = false
  let attempt = 0
  let connectedAt = 0
  let reported: StateValues = {}
  let cancelConnect = () => {}
  let cancelReport = () => {}
  let reporting = false
  let capabilities: CommandName[] | undefined
  /** Taken up with the next connection. */
  let moved: Identity | undefined
  let untold: DeviceEvent | undefined

  const publish = async (kind: UpKind, payload: string): Promise<void> => {
    if (!link) throw new Error('not connected')
    await link.publish(upTopic(identity.sn, kind), payload)
  }

  const dispatcher = createDispatcher({
    hardware,
    journal,
    log,
    now: timers.now,
    publish: (payload) => publish('reply', payload),
    contextFor: (message) => contextFor(message),
    done: () => void report(),
  })

  const open = (membership: Membership, handlers: LinkHandlers) =>
    parts.open(
      {
        url: membership.mqttUrl,
        username: membership.username,
        password: membership.password,
        clientId: identity.sn,
        keepaliveSeconds,
        subscribe: commandTopic(identity.sn),
        will: { topic: upTopic(identity.sn, 'bye'), payload: '{"reason":"lost"}' },
      },
      handlers,
    )

  const connect = async (): Promise<void> => {
    let fresh: Link
    try {
      // Answers wait for the link below: a command may come in before this resolves.
      fresh = await open(identity, {
        message: (payload) => void dispatcher.receive(payload),
        lost: (reason) => lost(reason, false),
      })
    } catch (error) {
      return lost(error instanceof Error ? error.message : String(error), error instanceof Refused)
    }
    if (!running) return fresh.close()
    link = fresh
    connectedAt = timers.now()
    reported = {}
    log(`connected to ${identity.mqttUrl}`)
    try {
      await publish('hello', JSON.stringify(await introduction()))
      if (identity.previous) await settleIn()
      await dispatcher.redeliver()
      if (untold) await publish('event', JSON.stringify(untold))
      untold = undefined
    } catch {
      return // The connection ended; `lost` has been told.
    }
    await report()
  }

  const introduction = async () => {
    if (!capabilities) {
      capabilities = []
      for (const name of commandNames) if (!(await hardware.obstacle(name))) capabilities.push(name)
    }
    return { ...(await hardware.describe()), keepalive: keepaliveSeconds, capabilities }
  }

  const lost = (reason: string, refused: boolean): void => {
    cancelReport()
    if (link && timers.now() - connectedAt >= goodMs) attempt = 0
    link = undefined
    if (!running) return
    if (identity.previous && attempt >= fallBackAfter) void fallBack(reason).then(() => retry(reason, refused))
    else retry(reason, refused)
  }

  const retry = (reason: string, refused: boolean): void => {
    const delay = reconnectDelay(attempt, refused, random)
    attempt += 1
    log(`not connected to ${identity.mqttUrl} (${reason}); next try in ${Math.ceil(delay / 1000)} s`)
    cancelConnect()
    if (running) cancelConnect = timers.after(delay, () => void connect())
  }

  const settleIn = async () => {
    const { previous: _left, ...settled } = identity
    identity = settled
    await parts.identities.save(identity)
  }

  const fallBack = async (reason: string) => {
    if (!identity.previous) return
    const text = `${identity.serverUrl} does not answer (${reason}): back to ${identity.previous.serverUrl}`
    log(text)
    const { previous, ...left } = identity
    identity = { ...left, ...previous }
    attempt = 0
    const now = timers.now()
    untold = { id: `serverFallback-${now}`, ts: now, type: 'serverFallback', level: 'major', text: text.slice(0, 1000) }
    await parts.identities.save(identity).catch((error) => log(`the identity could not be saved: ${error}`))
  }

  /** Only what differs from what the broker has taken on this connection. */
  const report = async (): Promise<void> => {
    if (!link || reporting) return
    reporting = true
    cancelReport()
    try {
      const { values, events = [] } = await hardware.measure()
      const changed = changesBetween(reported, values)
      if (changed) {
        await publish('state', JSON.stringify({ ts: timers.now(), ...changed }))
        reported = values
      }
      for (const event of events) await publish('event', JSON.stringify(event))
    } catch (error) {
      if (link) log(`values could not be reported: ${error instanceof Error ? error.message : error}`)
    } finally {
      reporting = false
    }
    if (link) cancelReport = timers.after(heartbeatSeconds * (900 + 200 * random()), () => void report())
  }

  const contextFor = (message: CommandMessage): Context => ({
    hardware,
    message,
    identity,
    join: parts.join,
    send: async (making) => {
      if (!message.upload) throw new Error('the command names no address to upload to')
      const file = await making
      try {
        return await sendFile(identity.serverUrl, message.upload, file)
      } finally {
        await file.discard()
      }
    },
    setHeartbeat: (seconds) => {
      heartbeatSeconds = seconds
    },
    tellAll: async () => {
      capabilities = undefined
      await publish('hello', JSON.stringify(await introduction()))
      reported = {}
      await report()
    },
    probe: async (membership) => {
      const trial = await open(membership, { message: () => {}, lost: () => {} })
      await trial.close()
    },
    moveTo: async (membership) => {
      const { previous: _older, ...current } = identity
      const { sn: _sn, privateKey: _key, ...from } = current
      // Saved at once, used from the next connection on: the answer still goes to the old server.
      moved = { ...current, ...membership, previous: from }
      await parts.identities.save(moved)
    },
    reconnect: async () => {
      const leaving = link
      link = undefined
      cancelReport()
      if (leaving) await within(timers, partingMs, leaving.close())
      if (moved) identity = moved
      moved = undefined
      attempt = 0
      if (running) await connect()
    },
    forget: async () => {
      await stop('wiped')
      await parts.identities.forget()
      parts.forgotten?.()
    },
  })

  const stop = async (reason: string): Promise<void> => {
    running = false
    cancelConnect()
    cancelReport()
    const leaving = link
    link = undefined
    if (!leaving) return
    const parting = leaving.publish(upTopic(identity.sn, 'bye'), JSON.stringify({ reason })).then(() => leaving.close())
    await within(timers, partingMs, parting)
  }

  return {
    start: async () => {
      running = true
      attempt = 0
      await dispatcher.settle()
      await connect()
    },
    stop,
    interrupt: () => {
      const leaving = link
      if (!leaving) return
      lost('the network went away', false)
      leaving.drop()
    },
    get connected() {
      return link !== undefined
    },
  }
}

/** Undefined when there is nothing new to say. */
const changesBetween = (before: StateValues, now: StateValues): StateValues | undefined => {
  const names = Object.keys(now) as StateName[]
  const changed = names.filter((name) => now[name] !== before[name])
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, now[name]]))
}
